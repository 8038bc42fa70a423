import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type TwoBuilds = {
  url: string
  /** From now on the venue serves another build of the same client. */
  deploy: () => void
  close: () => Promise<void>
}

/**
 * Stands before a venue and, once told to, serves its client as another build: the entry has another name wherever it is
 * named, and the worker another version. All else passes as it is.
 */
export async function twoBuilds(port: number): Promise<TwoBuilds> {
  let deployed = false
  const entry = await entryOf(port)
  const renamed = `${entry.slice(0, -8)}SECONDxx`
  const second = (text: string): string =>
    text.replaceAll(entry, renamed).replace(/version:(["'`])(\w+)\1/, 'version:$1second$1')
  const sockets = new Set<Socket>()

  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const path = deployed ? (from.url ?? '').replace(renamed, entry) : from.url
    // The same tag would mean another text after the change: everything is asked for anew.
    const { 'if-none-match': _tag, 'if-modified-since': _since, ...asked } = from.headers
    const headers = { ...asked, 'accept-encoding': 'identity' }
    const onwards = request({ port, host: '127.0.0.1', method: from.method, path, headers }, (answer) => {
      const kind = String(answer.headers['content-type'])
      if (!deployed || !/html|javascript/.test(kind)) {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
        return
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const body = second(Buffer.concat(parts).toString())
        const { etag: _etag, 'content-length': _length, ...kept } = answer.headers
        to.writeHead(answer.statusCode ?? 502, kept)
        to.end(body)
      })
    })
    onwards.on('error', () => to.destroy())
    from.pipe(onwards)
  }
  const server = createServer(pass)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (from, socket, head) => {
    const onwards = connect(port, '127.0.0.1', () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`)
      onwards.write(`${from.method} ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      onwards.write(head)
      socket.pipe(onwards).pipe(socket)
    })
    onwards.on('error', () => socket.destroy())
    socket.on('error', () => onwards.destroy())
    socket.on('close', () => onwards.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deploy: () => {
      deployed = true
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The entry's name without its ending, from the page that tells it. */
async function entryOf(port: number): Promise<string> {
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const name = /<html data-app="\/assets\/([\w-]+)\.js"/.exec(page)?.[1]
  if (name === undefined) throw new Error('the page names no entry')
  return name
}
