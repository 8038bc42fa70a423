import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'

const folder = join(import.meta.dirname, '../fixtures/tls')

/**
 * Ends TLS in front of a venue on this machine, as the proxy of a live venue does. Its certificate is for 127.0.0.1,
 * signed by itself, and its key is public: a browser needs an option to accept it.
 */
export async function openTlsProxy(port: number, venuePort: number): Promise<{ close(): Promise<void> }> {
  const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(folder, name)))
  const connections = new Set<() => void>()
  const server = createServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (client) => {
    const venue = connect(venuePort, '127.0.0.1')
    const end = (): void => {
      connections.delete(end)
      client.destroy()
      venue.destroy()
    }
    connections.add(end)
    for (const socket of [client, venue]) socket.on('close', end).on('error', end)
    client.pipe(venue).pipe(client)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const end of connections) end()
      await closed
    },
  }
}
