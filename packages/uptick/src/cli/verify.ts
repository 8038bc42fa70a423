import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { head } from '../../../../contract/products.ts'
import { verifyProof } from '../proof.ts'
import type { HeadsToCompare } from '../proof.ts'
import { UsageError, exitCodes } from './command.ts'
import type { Command, CommandContext } from './command.ts'
import { onlyFile, readText } from './files.ts'
import { headAt } from './venueCalls.ts'

export const verify: Command = {
  name: 'verify',
  usage: 'PROOF.json [--heads FILE] [--venue URL] [--json]',
  help: `Recomputes the result of an order from the file alone. --heads compares it with heads from elsewhere, a JSON list of
{seq, hash} of the same product; --venue with what the venue states now.
Exit code 0: it holds. 1: refuted, with the step of docs/protocol.md that fails. 2: the input cannot be used.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        heads: { type: 'string' },
        venue: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const path = onlyFile(positionals, 'proof')
    const file = readJson(path)
    const heads = [
      ...(values.heads === undefined ? [] : readHeads(values.heads)),
      ...(values.venue === undefined ? [] : await venueHeads(values.venue, file, context)),
    ]
    const verdict = await verifyProof(file, heads)
    if (verdict.kind === 'unusable') throw new UsageError(`${path}: ${verdict.why}`)
    if (values.json) context.print(JSON.stringify(verdict))
    else if (verdict.kind === 'holds') {
      const { orderNo, rule, ticks, headsMet, productId } = verdict
      context.print(
        `holds: order ${orderNo} by rule ${rule}, ${ticks} ticks of ${productId}, ${headsMet} heads met`,
      )
    } else {
      context.print(`refuted: order ${verdict.orderNo}, step "${verdict.step}"`)
      for (const [name, value] of Object.entries(verdict.found))
        context.print(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    }
    return verdict.kind === 'holds' ? exitCodes.done : exitCodes.refuted
  },
}

function readJson(path: string): unknown {
  const { text } = readText(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON`)
  }
}

function readHeads(path: string): HeadsToCompare {
  const parsed = z.array(head).safeParse(readJson(path))
  if (!parsed.success) throw new UsageError(`${path} is no list of {seq, hash}`)
  return parsed.data
}

const ends = z.object({
  order: z.object({ productId: z.string() }),
  before: z.nullable(head),
  after: z.nullable(head),
})

/** The venue's own heads at both ends of the proof, now. Those that it no longer stores are left out. */
async function venueHeads(url: string, file: unknown, { note }: CommandContext): Promise<HeadsToCompare> {
  const parsed = ends.safeParse(file)
  if (!parsed.success) return []
  const { order, before, after } = parsed.data
  const heads = []
  for (const end of [before, after]) {
    if (end === null) continue
    const stated = await headAt(url, order.productId, end.seq)
    if (stated === null) note(`the venue no longer has tick ${end.seq} of ${order.productId}: not compared`)
    else heads.push(stated)
  }
  return heads
}
