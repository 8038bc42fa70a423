import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Balancer = {
  url: string
  /** How many requests the upstream at this port has answered. */
  answered(port: number): number
  close(): Promise<void>
}

type Upstream = { port: number; agent: Agent; answered: number }

/**
 * A balancer by the rule of deploy/nginx.conf, with connections to its upstreams that stay open: a request that could not
 * be sent goes to the next one, and only what reads also if it was sent. A request that reaches none gets 502.
 */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const upstreams = ports.map((port): Upstream => ({
    port,
    agent: new Agent({ keepAlive: true }),
    answered: 0,
  }))
  let turn = 0
  const inTurn = (): Upstream[] => {
    turn += 1
    return upstreams.map((_, i) => upstreams[(turn + i) % upstreams.length]!)
  }
  const answerWith = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const reads = request.method === 'GET'
    const failures: string[] = []
    for (const upstream of inTurn()) {
      const answer = await forward(upstream, request, body)
      if (answer.failed === undefined) upstream.answered += 1
      else failures.push(`${upstream.port} ${answer.failed}: ${answer.why}`)
      if (answer.failed === undefined && !(reads && answer.status === 503)) {
        response.writeHead(answer.status, answer.headers).end(answer.body)
        return
      }
      if (!reads && answer.failed === 'after it was sent') break
    }
    response.writeHead(502).end(failures.join())
  }
  const server = createServer((request, response) => {
    answerWith(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: (port) => upstreams.find((each) => each.port === port)?.answered ?? 0,
    close: async () => {
      for (const { agent } of upstreams) agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Answer =
  | { status: number; headers: IncomingMessage['headers']; body: Buffer; failed?: undefined }
  | { failed: 'before it was sent' | 'after it was sent'; why: string }

async function forward({ port, agent }: Upstream, from: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, url: path } = from
  const { connection: _connection, ...headers } = from.headers
  // After a stall the ends of idle connections arrive together with the request: none of those is used for it.
  await new Promise(setImmediate)
  const request = sendRequest({ host: '127.0.0.1', port, agent, method, path, headers })
  try {
    const answered = once(request, 'response')
    request.end(body)
    const [answer] = (await answered) as [IncomingMessage]
    const { connection: _own, 'keep-alive': _keepAlive, ...rest } = answer.headers
    return { status: answer.statusCode ?? 502, headers: rest, body: await buffer(answer) }
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
    const why = `${String(error)}${request.reusedSocket ? ' on a connection that was used before' : ''}`
    return { failed: isRefused ? 'before it was sent' : 'after it was sent', why }
  }
}
