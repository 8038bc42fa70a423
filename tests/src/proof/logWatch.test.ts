import { beforeEach, describe, expect, it } from 'vitest'
import { leafHash, rootOf } from '../../../contract/tlog/merkle.ts'
import { parseTilePath } from '../../../contract/tlog/tiles.ts'
import { createSigner } from '../../../server/market/publicLog/signer.ts'
import { compareLog } from '../../../src/proof/logWatch.ts'
import type { LogAlarm, SeenCheckpoint } from '../../../src/state/logMemory.ts'

const origin = 'venue.test/log/1'
const signer = createSigner(new Uint8Array(32).fill(9))
const hashes = (count: number, kind = 'a') =>
  Array.from({ length: count }, (_, i) => leafHash(new TextEncoder().encode(`${i < 300 ? 'a' : kind} ${i}`)))

let memory: { newest: SeenCheckpoint | null; alarm: LogAlarm | null }
beforeEach(() => {
  memory = { newest: null, alarm: null }
})

/** `shown`: how many of its leaves the checkpoint has. */
type Venue = {
  leaves: ReturnType<typeof hashes>
  shown?: number
  name?: string
  missing?: boolean
  /** Runs when a tile is asked for. */
  meanwhile?: () => void
  /** The path of a tile with a wrong byte. */
  damaged?: string
  signs?: ReturnType<typeof createSigner>
  /** Whose key it states. */
  states?: ReturnType<typeof createSigner>
}
const noteOf = ({ leaves, shown = leaves.length, name = origin, signs = signer }: Venue) =>
  signs.sign({ origin: name, size: shown, root: rootOf(leaves.slice(0, shown)) })

/** A connect to a venue with these leaves. */
const connect = (venue: Venue) =>
  compareLog({
    fetchLog: async (path) => {
      if (path === 'checkpoint') return new TextEncoder().encode(noteOf(venue))
      const tile = parseTilePath(path)!
      if (venue.missing) return undefined
      venue.meanwhile?.()
      const level = [venue.leaves, [rootOf(venue.leaves.slice(0, 256))]][Number(tile.level)]!
      const own = level.slice(tile.index * 256, tile.index * 256 + tile.width)
      const bytes = Uint8Array.from(own.flatMap((hash) => [...hash]))
      if (path === venue.damaged) bytes[bytes.length - 1]! ^= 1
      return bytes
    },
    logKey: (venue.states ?? signer).verifierKey(venue.name ?? origin),
    read: () => memory,
    write: (next) => void (memory = next),
    now: () => 5,
  })

const sizeSeen = () => Number(memory.newest?.note.split('\n')[1])

describe('the public log on this device', () => {
  it('is followed while it continues', async () => {
    for (const [size, expected] of [
      [280, 280],
      [310, 310],
      [305, 310],
      [310, 310],
      [400, 400],
    ] as const) {
      await connect({ leaves: hashes(400), shown: size })
      expect([sizeSeen(), memory.alarm]).toEqual([expected, null])
    }
  })

  it.each([
    ['a larger one', 400, true],
    ['one of the same size', 350, false],
  ])('is an alarm if another one is shown: %s', async (_what, size, hasTiles) => {
    await connect({ leaves: hashes(350) })
    const before = memory.newest
    const other = { leaves: hashes(size, 'b') }
    await connect(other)
    const now = { note: noteOf(other), logKey: signer.verifierKey(origin) }
    expect(memory).toMatchObject({ newest: before, alarm: { kind: 'fork', before, now, at: 5 } })
    expect(Object.keys(memory.alarm!.tiles).length > 0).toBe(hasTiles)
    // It stays until it is read.
    await connect({ leaves: hashes(420) })
    expect(memory.alarm?.now).toEqual(now)
  })

  it('is an alarm of its own if the venue has another one', async () => {
    await connect({ leaves: hashes(10) })
    await connect({ leaves: hashes(12), name: 'venue.test/log/2' })
    expect(memory.alarm).toMatchObject({ kind: 'replaced', tiles: {} })
  })

  it('is an alarm too if another key signs the same leaves under the same name', async () => {
    await connect({ leaves: hashes(10) })
    const { newest } = memory
    const signs = createSigner(new Uint8Array(32))
    await connect({ leaves: hashes(12), signs, states: signs })
    expect(memory).toMatchObject({ newest, alarm: { kind: 'replaced', tiles: {} } })
  })

  it('stays as it was if nothing can be compared', async () => {
    await connect({ leaves: hashes(300) })
    await connect({ leaves: hashes(400, 'b'), missing: true })
    await connect({ leaves: hashes(290, 'b') })
    await connect({ leaves: hashes(500, 'b'), signs: createSigner(new Uint8Array(32)) })
    expect([sizeSeen(), memory.alarm]).toEqual([300, null])
  })

  it.each([
    ['tile/0/000', 100],
    ['tile/0/001.p/144', 100],
    ['tile/1/000.p/1', 256],
  ])('is no alarm if a tile is damaged on its way: %s', async (damaged, seen) => {
    await connect({ leaves: hashes(seen) })
    await connect({ leaves: hashes(400), damaged })
    expect([sizeSeen(), memory.alarm]).toEqual([seen, null])
    await connect({ leaves: hashes(400) })
    expect([sizeSeen(), memory.alarm]).toEqual([400, null])
  })

  it('keeps the alarm that another tab stored meanwhile', async () => {
    await connect({ leaves: hashes(100) })
    const seen = memory.newest!
    const alarm: LogAlarm = { kind: 'fork', before: seen, now: seen, at: 4, tiles: {} }
    await connect({ leaves: hashes(400), meanwhile: () => void (memory = { newest: seen, alarm }) })
    expect(memory).toEqual({ newest: seen, alarm })
  })

  it.each([64, 100, 256])('is an alarm if its first %i leaves are others', async (size) => {
    await connect({ leaves: hashes(400, 'b').toReversed(), shown: size })
    await connect({ leaves: hashes(400) })
    expect(memory.alarm).toMatchObject({ kind: 'fork' })
  })
})
