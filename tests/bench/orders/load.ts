import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

/** What the sending process does: each session has one request in flight at a time. */
export type Load = {
  url: string
  sessions: { sid: string; token: string }[]
  body: string
  ms: number
}
export type LoadResult = { perSecond: number }

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

process.on('message', (load: Load) => {
  void run(load).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function run({ url, sessions, body, ms }: Load): Promise<LoadResult> {
  const started = performance.now()
  let answered = 0
  await Promise.all(
    sessions.map(async (session) => {
      while (performance.now() - started < ms) {
        await post(url, session, body)
        answered += 1
      }
    }),
  )
  return { perSecond: (answered * 1000) / (performance.now() - started) }
}

function post(url: string, { sid, token }: Load['sessions'][number], body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie: `sid=${sid}`,
      'x-csrf-token': token,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(`${url}/api/orders`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`${response.statusCode} ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
