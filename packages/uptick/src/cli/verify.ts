import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { head } from '../../../../contract/products.ts'
import { proofFileMaxBytes } from '../../../../src/proof/readProofFile.ts'
import type { HeadsToCompare } from '../proof.ts'
import { UsageError, exitCodes, onlyFile, type Command, type CommandContext } from './command.ts'
import { readText } from './files.ts'
import { parsedJson } from './json.ts'
import {
  folderLogFiles,
  knownLogFiles,
  logKeyOf,
  venueLogFiles,
  witnessKeyOf,
  type LogFiles,
} from './logFiles.ts'
import { linesOfVerdict, logToCompare, verdictOf } from './proofVerdict.ts'
import { gapsIn, headAt, statedKeys } from './venueCalls.ts'
import { verifyLog } from './verifyLog.ts'
import { verifyOrders } from './verifyOrders.ts'

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      heads: { type: 'string' },
      venue: { type: 'string' },
      log: { type: 'string' },
      witness: { type: 'string', multiple: true, default: [] },
      against: { type: 'string', multiple: true },
      tiles: { type: 'string' },
      account: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
type Values = ReturnType<typeof parse>['values']

export const verify: Command = {
  name: 'verify',
  usage: `PROOF.json [--heads FILE] [--venue URL] [--log KEY] [--witness KEY …] [--against FILE …] [--json]
uptick verify --venue URL|--tiles FOLDER --log KEY [--witness KEY …] [--json]
uptick verify --venue URL --account NAME [--limit 100] [--log KEY] [--witness KEY …] [--json]`,
  help: `A proof file: recomputes the result of an order from the file alone, and says who signed its receipt: the venue, by the key given
with --log or else stated at --venue; a key that is not the venue's; an unknown key, if none was given; or nobody, and then the
file only shows that it is consistent. --heads compares it with heads from elsewhere, a JSON list of {seq, hash}; --venue with what
the venue states now, its gaps too. --log needs the public log's signature by this key and the cosignature of every --witness; with
--venue too, the venue's log must continue the file's. --against compares each tick with the trades that the exchange publishes, in
one file or several: of data.binance.vision, trades or aggTrades; of Coinbase the pages of /products/ID/trades; of Kraken the
answers of /0/public/Trades.
Without a file: reads the venue's whole public log, or a copy of it in a folder, each tile under its path. Its leaves must give the
root that the key has signed, ascend by second, and no head may go back.
With --account: logs that member in, verifies the newest closed orders, prints those that are refuted, and logs out.
The password is in UPTICK_PASSWORD, or the first line of the input.
Exit code 0: it holds. 1: refuted, with the step that fails, or the tile and leaf. 2: the input cannot be used.`,
  run: async (args, context) => {
    const { values, positionals } = parse(args)
    if (values.witness.length > 0 && values.log === undefined) throw new UsageError('--witness needs --log')
    if (values.account !== undefined) return verifyAccount(values.account, positionals, values, context)
    const isWholeLog = positionals.length === 0 && values.log !== undefined
    if (isWholeLog && (values.venue ?? values.tiles) !== undefined) return verifyWholeLog(values, context)
    refuse(values, ['tiles', 'limit'], 'a proof file')
    return verifyFile(onlyFile(positionals, 'proof'), values, context)
  },
}

/** @throws UsageError if one of the options is given that do not apply here */
function refuse(values: Values, names: readonly (keyof Values)[], what: string): void {
  const given = names.find((name) => values[name] !== undefined)
  if (given !== undefined) throw new UsageError(`--${given} does not go with ${what}`)
}

function verifyWholeLog(values: Values, context: CommandContext): Promise<number> {
  const { venue, tiles, log = '', witness, json } = values
  refuse(values, ['heads', 'against', 'limit'], 'a whole log')
  if (venue !== undefined) refuse(values, ['tiles'], '--venue')
  const files = venue === undefined ? folderLogFiles(tiles ?? '') : venueLogFiles(venue, context.signal)
  return verifyLog(files, { key: logKeyOf(log), witnesses: witness.map(witnessKeyOf), json }, context)
}

/** Tiles that orders have in common are fetched once, and so is the checkpoint. */
function verifyAccount(
  account: string,
  positionals: readonly string[],
  values: Values,
  context: CommandContext,
): Promise<number> {
  const { venue, log, witness, json, limit = '100' } = values
  refuse(values, ['heads', 'against', 'tiles'], '--account')
  if (venue === undefined || positionals.length > 0)
    throw new UsageError('--account needs --venue, and no file')
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError(`--limit ${limit} is no number of orders`)
  const files = (): LogFiles => knownLogFiles(venueLogFiles(venue, context.signal))
  const compared = log === undefined ? null : logToCompare(log, witness, files())
  return verifyOrders({ venue, account, limit: Number(limit), log: compared, json }, context)
}

async function verifyFile(path: string, values: Values, context: CommandContext): Promise<number> {
  const { venue, log, witness, against } = values
  const file = await readJsonFile(path)
  const asked = venue === undefined ? undefined : ends.safeParse(file).data
  const heads = values.heads === undefined ? [] : await readHeads(values.heads)
  if (venue !== undefined && asked) heads.push(...(await venueHeads(venue, asked, context)))
  const verdict = await verdictOf(file, {
    heads,
    log:
      log === undefined
        ? null
        : logToCompare(log, witness, venue === undefined ? null : venueLogFiles(venue, context.signal)),
    stated: venue === undefined ? [] : await statedKeys(venue),
    gaps: venue !== undefined && asked ? await venueGaps(venue, asked, context) : null,
    against: against ?? [],
  })
  if (verdict.kind === 'unusable') throw new UsageError(`${path}: ${verdict.why}`)
  if (values.json) context.print(JSON.stringify(verdict))
  else for (const line of linesOfVerdict(verdict)) context.print(line)
  return verdict.kind === 'holds' ? exitCodes.done : exitCodes.refuted
}

async function readJsonFile(path: string): Promise<unknown> {
  const value = parsedJson(await readText(path, proofFileMaxBytes))
  if (value === undefined) throw new UsageError(`${path} is not JSON`)
  return value
}

async function readHeads(path: string): Promise<HeadsToCompare[number][]> {
  const parsed = z.array(head).safeParse(await readJsonFile(path))
  if (!parsed.success) throw new UsageError(`${path} is no list of {seq, hash}`)
  return parsed.data
}

const ends = z.object({
  order: z.object({ productId: z.string(), acceptedAt: z.int(), closeAt: z.int() }),
  before: z.nullable(head),
  after: z.nullable(head),
})
type Ends = z.infer<typeof ends>

/** The venue's own heads at both ends of the proof, now. Those that it no longer stores are left out. */
async function venueHeads(
  url: string,
  { order, before, after }: Ends,
  { note }: CommandContext,
): Promise<HeadsToCompare> {
  const heads = []
  for (const end of [before, after]) {
    if (end === null) continue
    const stated = await headAt(url, order.productId, end.seq)
    if (stated === null) note(`the venue no longer has tick ${end.seq} of ${order.productId}: not compared`)
    else heads.push({ ...stated, statedBy: 'venue' as const })
  }
  return heads
}

/** The venue's gaps in the order's time, now; null if it does not state them. */
async function venueGaps(url: string, { order }: Ends, { note }: CommandContext) {
  const { productId, acceptedAt, closeAt } = order
  const gaps = await gapsIn(url, productId, [acceptedAt, closeAt])
  if (gaps === null) note(`the venue does not state the gaps of ${productId}: not compared`)
  return gaps
}
