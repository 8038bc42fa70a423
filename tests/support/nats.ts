import { connect } from 'node:net'
import { describe } from 'vitest'

/** The server for tests: `TEST_BUS_URL`, otherwise 127.0.0.1:4222. */
export const natsServer = (): string => process.env['TEST_BUS_URL'] ?? 'nats://127.0.0.1:4222'

/** Whether a NATS server listens. */
export function natsAnswers(): Promise<boolean> {
  const { hostname, port } = new URL(natsServer())
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
      .on('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .on('error', () => resolve(false))
  })
}

/** `describe`, or `describe.skip` with one line that says why if no NATS server answers. */
export async function describeWithNats(name: string): Promise<typeof describe | typeof describe.skip> {
  if (await natsAnswers()) return describe
  if (process.env['TEST_BUS_URL'] !== undefined) throw new Error('TEST_BUS_URL does not answer')
  console.warn(`NATS tests of ${name} are skipped: nothing answers at ${natsServer()}.`)
  return describe.skip
}
