import { parseArgs } from 'node:util'
import { priceUnits, sizeUnits } from '../../../../contract/brand.ts'
import { linkHash } from '../../../../contract/chain.ts'
import { formatPrice, formatSize } from '../../../../contract/price.ts'
import { exitCodes } from './command.ts'
import type { Command } from './command.ts'
import { onlyFile, openRecording } from './files.ts'
import type { OpenedRecording } from './files.ts'

export const check: Command = {
  name: 'check',
  usage: 'FILE',
  help: `Exit code 0: every row is a tick, in order, without a missing number; for a recording made by "record" the
ticks also hash through every head that the venue stated. 1: the first thing that is wrong. 2: no recording.`,
  run: async (args, { print }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const opened = openRecording(onlyFile(positionals, 'recording'))
    const wrong = rowsWrong(opened) ?? chainWrong(opened)
    if (wrong !== undefined) {
      print(`wrong: ${wrong}`)
      return exitCodes.refuted
    }
    print(`${opened.recording.at.length} ticks, in order${chainText(opened)}`)
    return exitCodes.done
  },
}

/** The numbers of the ticks, if the file has them. */
function numbersOf(csv: string): number[] | undefined {
  const lines = csv.split(/\r?\n/)
  const column = (lines[0] ?? '').split(',').indexOf('seq')
  if (column < 0) return undefined
  return lines.slice(1).flatMap((line) => (line === '' ? [] : [Number(line.split(',')[column])]))
}

function rowsWrong({ recording, csv }: OpenedRecording): string | undefined {
  if (recording.skipped > 0)
    return `${recording.skipped} rows are not ticks: unreadable, not above zero, or older than the row before`
  const numbers = numbersOf(csv)
  const hole = numbers?.findIndex((seq, n) => n > 0 && seq !== (numbers[n - 1] ?? 0) + 1)
  if (numbers === undefined || hole === undefined || hole < 0) return undefined
  return `tick ${(numbers[hole - 1] ?? 0) + 1} is missing`
}

/** The ticks of a live source are hashed with what the exchange called them, which a recording does not have. */
const isChained = ({ note, csv }: OpenedRecording): boolean =>
  note !== null && note.product.chain === 1 && note.heads.length > 0 && numbersOf(csv) !== undefined

function chainWrong(opened: OpenedRecording): string | undefined {
  const { recording, csv, note } = opened
  if (!isChained(opened) || note === null) return undefined
  const numbers = numbersOf(csv) ?? []
  const stated = new Map(note.heads.map(({ seq, hash }) => [seq, hash]))
  let hash: string | undefined = stated.get((numbers[0] ?? 0) - 1)
  if (hash === undefined) return 'the head before the first tick is not in the note'
  for (const [n, seq] of numbers.entries()) {
    const price = formatPrice(priceUnits(recording.price[n] ?? 0), recording.priceDecimals)
    const size = formatSize(sizeUnits(recording.size[n] ?? 0), recording.sizeDecimals)
    hash = linkHash(hash, note.product.id, [seq, recording.at[n] ?? 0, price, size])
    const expected = stated.get(seq)
    if (expected !== undefined && expected !== hash)
      return `the ticks up to ${seq} do not hash to the venue's head: a tick since the head before was changed`
  }
  return undefined
}

function chainText(opened: OpenedRecording): string {
  if (isChained(opened)) return `; the chain meets ${opened.note?.heads.length} heads of the venue`
  return opened.note?.product.chain === 2 ? '; a live source, so the chain cannot be recomputed' : ''
}
