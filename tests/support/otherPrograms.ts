import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** `nobody` on Debian. PostgreSQL refuses to run as root. */
const nobody = 65_534

/** As whom a test starts a program that refuses to run as root: options of `spawn`, and of `chown`. */
export const unprivileged = (): { uid: number; gid: number } | null =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : null

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
