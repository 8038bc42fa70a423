// A sender and a receiver without any work, for comparison: what the observer sees committed goes to the sender over TCP, as
// it goes to the leader, and from there as many bytes over NATS to the receiver. What it takes is the machine's part of a delay.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { connect } from '@nats-io/transport-node'
import { nowUs } from '../fanout/messages.ts'
import { orderBytes } from './bareOrder.ts'
import type { Arrival, FromReceiver, ToReceiver } from './messages.ts'

const [role, subject = '', servers = ''] = process.argv.slice(2)

async function send(): Promise<void> {
  const connection = await connect({ servers })
  const server = createServer({ noDelay: true }, (observer) => {
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    observer.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= orderBytes) {
        const message = Buffer.alloc(Math.max(8, rest.readUInt32BE(8)))
        rest.copy(message, 0, 0, 8)
        connection.publish(subject, message)
        rest = rest.subarray(orderBytes)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port })
}

async function receive(): Promise<void> {
  const connection = await connect({ servers })
  const report = (message: FromReceiver): void => void process.send?.(message)
  let arrivals: Arrival[] = []
  connection.subscribe(subject, {
    callback: (_error, { data }) => {
      const us = nowUs()
      arrivals.push([Buffer.from(data).readDoubleBE(), us])
    },
  })
  await connection.flush()
  process.on('message', ({ kind }: ToReceiver) => {
    if (kind === 'end') report({ kind: 'measured', arrivals })
    arrivals = []
  })
  report({ kind: 'following' })
}

process.on('disconnect', () => process.exit(0))
// The bench may have ended while this was loaded.
if (!process.connected) process.exit(0)
await (role === 'sender' ? send() : receive())
