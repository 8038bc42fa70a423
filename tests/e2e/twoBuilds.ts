import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export type TwoBuilds = {
  url: string
  /** From now on serves another build of the same client. */
  deploy: () => void
  /** From now on answers requests for the build's scripts, other than the entry, with 503, or no longer. */
  failScripts: (failing: boolean) => void
  /** How often the worker's script was requested: once for each attempt to install. */
  installAttempts: () => number
  close: () => Promise<void>
}

/**
 * A proxy in front of a venue. After `deploy` it serves the client as another build: the entry has another name wherever
 * it is mentioned, and the service worker another version. Everything else passes unchanged.
 */
export async function twoBuilds(port: number): Promise<TwoBuilds> {
  let deployed = false
  let isFailing = false
  let installAttempts = 0
  const entry = await entryOf(port)
  const renamed = `${entry.slice(0, -8)}SECONDxx`
  const asSecondBuild = (text: string): string =>
    text.replaceAll(entry, renamed).replace(/version:(["'`])(\w+)\1/, 'version:$1second$1')
  const sockets = new Set<Socket>()

  const forward = (from: IncomingMessage, to: ServerResponse): void => {
    if (deployed && from.url === '/sw.js') installAttempts += 1
    if (isFailing && /^\/assets\/.+\.js$/.test(from.url ?? '') && !from.url?.includes(renamed)) {
      to.writeHead(503).end()
      return
    }
    const path = deployed ? (from.url ?? '').replace(renamed, entry) : from.url
    // After the change the same tag means another text, so everything is requested without one.
    const { 'if-none-match': _tag, 'if-modified-since': _since, ...forwarded } = from.headers
    const headers = { ...forwarded, 'accept-encoding': 'identity' }
    const upstream = request({ port, host: '127.0.0.1', method: from.method, path, headers }, (answer) => {
      const kind = String(answer.headers['content-type'])
      if (!deployed || !/html|javascript/.test(kind)) {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
        return
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const body = asSecondBuild(Buffer.concat(parts).toString())
        const { etag: _etag, 'content-length': _length, ...rest } = answer.headers
        to.writeHead(answer.statusCode ?? 502, rest)
        to.end(body)
      })
    })
    upstream.on('error', () => to.destroy())
    from.pipe(upstream)
  }
  const server = createServer(forward)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (from, socket, head) => {
    const upstream = connect(port, '127.0.0.1', () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`)
      upstream.write(`${from.method} ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
    socket.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deploy: () => {
      deployed = true
    },
    failScripts: (failing) => {
      isFailing = failing
    },
    installAttempts: () => installAttempts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The entry's name without its extension, from the page. */
async function entryOf(port: number): Promise<string> {
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const name = / data-app="\/assets\/([\w-]+)\.js"/.exec(page)?.[1]
  if (name === undefined) throw new Error('the page names no entry')
  return name
}
