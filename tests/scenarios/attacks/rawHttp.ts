import { connect } from 'node:net'
import { blackBoxClient } from '../../support/blackBoxClient.ts'
import { createSocketClients } from '../../support/socketClients.ts'
import { findings, type Findings } from '../findings.ts'
import { openAttackedVenue, type Engine } from './attackedVenue.ts'

type Expect = ReturnType<typeof findings>['expect']
const host = 'trade.test'
const quietMs = 700

/** Bytes on a connection that no browser sends, paths that lead elsewhere, and frames that no client makes. */
export async function sendRawHttp(main: string, engine: Engine): Promise<Findings> {
  const venue = await openAttackedVenue(main, engine, {
    env: { PUBLIC_URL: `https://${host}`, TRUST_PROXY: '127.0.0.1' },
  })
  const { found, expect } = findings()
  try {
    const port = Number(new URL(venue.url).port)
    await smuggle(port, expect)
    await askForFiles(port, expect)
    await nameOtherHosts(port, expect)
    await forgeAddresses(venue.url, expect)
    await sendFrames(venue.url, expect)
    expect(!venue.hasExited(), () => 'the venue ended')
    const { status } = await blackBoxClient(venue.url).get('/api/time')
    expect(status === 200, () => `the venue answers ${status} afterwards`)
  } finally {
    await venue.close()
  }
  return found
}

/** Sends text on a connection of its own. @returns all that comes back until the venue closes it, or is quiet */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let got = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const end = (): void => {
      socket.destroy()
      resolve(got)
    }
    socket.setTimeout(quietMs, end)
    socket.on('data', (data) => (got += data.toString('latin1')))
    socket.on('error', end)
    socket.on('close', end)
  })
}

/** A second request within the body of the first must not be answered. */
async function smuggle(port: number, expect: Expect): Promise<void> {
  const inner = `GET /api/time HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
  const bodies = {
    'both lengths': `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    'two lengths': `Content-Length: ${inner.length}\r\nContent-Length: 0\r\n\r\n${inner}`,
    'two lengths in one': `Content-Length: 0, ${inner.length}\r\n\r\n${inner}`,
    'an unknown coding': `Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n${inner}`,
    'a space before the colon': `Transfer-Encoding : chunked\r\nContent-Length: ${inner.length}\r\n\r\n0\r\n\r\n${inner}`,
    'a negative length': `Content-Length: -1\r\n\r\n${inner}`,
    'a signed length': `Content-Length: +${inner.length}\r\n\r\n${inner}`,
    'a folded header': `X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${inner}`,
    'a chunk with a signed length': `Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${inner}`,
    'a line feed alone': `Transfer-Encoding: chunked\n\n0\n\n${inner}`,
    'a NUL in a header': `X-A: b\0c\r\nContent-Length: 0\r\n\r\n${inner}`,
  }
  for (const [what, rest] of Object.entries(bodies)) {
    const answer = await send(port, head + rest)
    expect(!answer.includes('"now"'), () => `${what}: the inner request was answered`)
    expect(!/^HTTP\/1\.1 5/m.test(answer), () => `${what}: ${answer.slice(0, 40)}`)
  }
}

/** What a page or file of the client has, and what no answer to a path may have. */
async function askForFiles(port: number, expect: Expect): Promise<void> {
  const ways = ['../', '..%2f', '%2e%2e/', '..%5c', '..\\', '....//', '%252e%252e/', './../']
  const targets = ['package.json', 'desk.key', 'venue.key', 'server/main.js', '.git/config', 'etc/passwd']
  const secret = /"dependencies"|"scripts"|repositoryformatversion|root:|-----BEGIN|createServer/
  for (const base of ['/', '/assets/', '/office/', '/icons/', '/log/tile/'])
    for (const way of ways)
      for (const target of targets) {
        const path = `${base}${way.repeat(3)}${target}`
        const answer = await send(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        expect(
          !secret.test(answer) && !answer.startsWith('HTTP/1.1 5'),
          () => `${path}: ${answer.slice(0, 60)}`,
        )
      }
  for (const path of ['/office/', '/office/index.html', '/metrics', '/desk/members']) {
    const forwarded = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n'
    const answer = await send(
      port,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${forwarded}Connection: close\r\n\r\n`,
    )
    expect(/^HTTP\/1\.1 40[134]/.test(answer), () => `${path} from another machine: ${answer.slice(0, 40)}`)
  }
}

async function nameOtherHosts(port: number, expect: Expect): Promise<void> {
  for (const path of [
    '/',
    '//foreign.test',
    '//foreign.test/%2e%2e',
    '/%2f%2fforeign.test',
    '/\\foreign.test',
    '/office',
  ]) {
    const headers = [
      'Host: foreign.test',
      'X-Forwarded-Host: foreign.test',
      'X-Original-URL: /desk/members',
      'X-Rewrite-URL: /desk/members',
      'Cookie: language="><script>__hit()</script>',
      'Origin: https://foreign.test',
    ]
    const answer = await send(
      port,
      `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
    )
    const told = /foreign\.test|__hit|access-control-allow-origin/i.exec(answer.replace(/^[^\n]*\n/, ''))
    expect(told === null, () => `${path} comes back with ${told?.[0]}`)
  }
}

/** Behind a proxy that adds its own entry only that one counts: logins of one address work from the eleventh on. */
async function forgeAddresses(url: string, expect: Expect): Promise<void> {
  const answers: (string | undefined)[] = []
  for (let i = 0; i < 14; i++) {
    const { code } = await blackBoxClient(url).call('POST', '/api/auth/login', {
      body: { account: `nobody_${i}`, password: 'a wrong one' },
      headers: { 'x-forwarded-for': `198.51.100.${i}, 203.0.113.77`, 'x-forwarded-proto': 'https' },
    })
    answers.push(code)
  }
  const free = answers.filter((code) => code === 'BAD_CREDENTIALS').length
  expect(free <= 10, () => `14 log-ins with forged addresses: ${answers.join(', ')}`)
}

async function sendFrames(url: string, expect: Expect): Promise<void> {
  const sockets = createSocketClients(async () => url)
  const headers = { origin: `https://${host}`, 'x-forwarded-for': '203.0.113.78' }
  try {
    const { socket } = await sockets.connect(headers)
    const shapes = [
      null,
      [],
      1e308,
      'x',
      { products: 'x' },
      { products: [1] },
      { products: ['__proto__'] },
      { a: Buffer.alloc(99) },
    ]
    for (const event of ['subscribe', 'unsubscribe', 'clock', '__proto__', 'constructor', 'hello'])
      for (const shape of shapes) socket.emit(event, shape)
    const { engine } = socket.io
    for (const text of [
      '451-["subscribe",{"_placeholder":true,"num":9}]',
      '42',
      '4x',
      '42["a"',
      '40/other,',
      '9',
    ])
      engine.write(text)
    socket.emit('subscribe', { products: Array.from({ length: 100_000 }, (_, i) => `P${i}`) })
    const next = await sockets.connect(headers)
    await next.sync()
    expect(next.socket.connected, () => 'no socket can be opened afterwards')
  } finally {
    sockets.close()
  }
}
