// A node that follows the log of a venue as its edges do, without sockets: a process of its own, because with anything else
// to do it would see a flush later than an edge.
import { nowUs } from '../fanout/messages.ts'
import { followVenue } from './follower.ts'
import type { Arrival, FromReceiver, ToReceiver } from './messages.ts'

const report = (message: FromReceiver): void => void process.send?.(message)
let arrivals: Arrival[] = []
let leave = async (): Promise<void> => undefined

async function handle(message: ToReceiver): Promise<void> {
  if (message.kind === 'follow') {
    leave = await followVenue(message.venue, (at) => arrivals.push([at, nowUs()]))
    report({ kind: 'following' })
  } else if (message.kind === 'leave') {
    await leave()
    report({ kind: 'left' })
  } else {
    if (message.kind === 'end') report({ kind: 'measured', arrivals })
    arrivals = []
  }
}
process.on('message', (message: ToReceiver) => void handle(message))
process.on('disconnect', () => process.exit(0))
// The bench may have ended while this was loaded.
if (!process.connected) process.exit(0)
