import { connect } from 'node:net'
import { describe } from 'vitest'

/** The server for tests: `TEST_BUS_URL`, otherwise 127.0.0.1:4222. */
export const natsServer = (): string => process.env['TEST_BUS_URL'] ?? 'nats://127.0.0.1:4222'

/** `describe`, or `describe.skip` with one line that says why if no NATS server answers. */
export async function describeWithNats(name: string): Promise<typeof describe | typeof describe.skip> {
  const { hostname, port } = new URL(natsServer())
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
      .on('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .on('error', () => resolve(false))
  })
  if (answers) return describe
  if (process.env['TEST_BUS_URL'] !== undefined) throw new Error('TEST_BUS_URL does not answer')
  console.warn(`NATS tests of ${name} are skipped: nothing answers at ${natsServer()}.`)
  return describe.skip
}
