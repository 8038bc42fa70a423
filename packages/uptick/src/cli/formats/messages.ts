import { instantFault, instantUnitOf } from '../../../../../contract/recordedInstant.ts'
import type { Protocol, RawTick, Sink } from '../../../../../server/market/package.ts'
import { notAFrame, parseFrameLine } from '../../../../../tests/support/exchange/frames.ts'
import { UsageError } from '../command.ts'
import { lineBatchesOf, type FileLine } from '../files.ts'
import { protocolNames, protocolOf } from '../protocols.ts'
import type { Format, FormatInput, ReadRow } from './format.ts'

/** What `record --raw` writes: each message of an exchange's socket, and when it came. */
export const messages: Format = {
  name: 'socket messages',
  example: '{"at": 1700000000000, "raw": "…"}',
  likeness: (start) => (/^\s*\{/.test(start) && start.includes('"raw"') ? 1 : 0),
  read: async function* ({ path, pieces, protocol: name }: FormatInput) {
    const protocol = protocolOf(name)
    if (!protocol) throw new UsageError(`--protocol is one of ${protocolNames.join(', ')}`)
    const reader = new MessageReader(path, protocol)
    for await (const lines of lineBatchesOf(path, pieces)) yield lines.flatMap((line) => reader.read(line))
  },
}

class MessageReader {
  readonly #path: string
  readonly #protocol: Protocol
  #unit: string | undefined

  constructor(path: string, protocol: Protocol) {
    this.#path = path
    this.#protocol = protocol
  }

  /** The ticks in one line. @throws UsageError if it cannot be used */
  read({ text, number: line, hasEnd }: FileLine): ReadRow[] {
    if (text.trim() === '') return []
    const frame = parseFrameLine(text)
    if (frame === undefined && hasEnd) throw new UsageError(`${this.#path}: ${notAFrame(line)}`)
    if (frame === undefined) return [{ line, text, why: 'it is broken off' }]
    if (frame === null) return []
    // Null is a trade that cannot be read.
    const found: (RawTick | null)[] = []
    const unreadable = (): void => void found.push(null)
    const ignore = (): void => undefined
    const sink: Sink = {
      joined: ignore,
      answered: ignore,
      rejected: ignore,
      status: ignore,
      newest: ignore,
      alive: ignore,
      endsSoon: ignore,
      tick: (tick) => {
        if (Number.isNaN(tick.sourceAt)) unreadable()
        else if (tick.isOutsideMarket !== true) found.push(tick)
      },
      unreadable,
    }
    try {
      this.#protocol.read(frame.raw, sink)
    } catch {
      unreadable()
    }
    const unread = { line, text: frame.raw, why: 'it holds no trade that can be read' }
    return found.map((tick) => (tick === null ? unread : this.#rowOf(tick, line)))
  }

  #rowOf(tick: RawTick, line: number): ReadRow {
    const { order, price, size, symbol } = tick
    const text = `${symbol},${order},${price},${size}`
    return { line, text, at: this.#instantOf(tick, line), price, size, bid: '', ask: '', symbol, order }
  }

  /** @throws UsageError if the instant is in another unit than ms and µs, or than those before */
  #instantOf({ sourceAt }: RawTick, line: number): number {
    const unit = instantUnitOf(sourceAt)
    const fault = unit === 'microseconds' ? undefined : instantFault(String(sourceAt))
    if (fault !== undefined) throw new UsageError(`${this.#path}: line ${line}: ${fault}`, '')
    this.#unit ??= unit
    if (unit !== this.#unit)
      throw new UsageError(
        `${this.#path}: line ${line}: the instant ${sourceAt} is in ${unit}, those before in ${this.#unit}`,
        'convert each part on its own',
      )
    return unit === 'microseconds' ? Math.floor(sourceAt / 1000) : sourceAt
  }
}
