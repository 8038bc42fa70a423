import type { LogProof } from '../../../contract/orders.ts'
import { fromBase64 } from '../../../contract/tlog/base64.ts'
import { checkLogProof } from '../../../contract/tlog/logProof.ts'
import { parseVerifierKey } from '../../../contract/tlog/note.ts'
import { compareLog } from '../../../src/proof/logWatch.ts'

/** What a device checks; `files` of the log in base64, by path. */
export type BrowserCase = {
  logKey: string
  logWitnesses: readonly string[]
  proof: LogProof
  seen: string
  files: Record<string, string>
}
/** How long each check took, ms, and whether it held. */
export type BrowserCost = { inclusionMs: number; consistencyMs: number; holds: boolean }

/** Checks a proof's part of the log, and that the log continues what this device saw, each once. */
async function check({ logKey, logWitnesses, proof, seen, files }: BrowserCase): Promise<BrowserCost> {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, fromBase64(text) ?? undefined]))
  const started = performance.now()
  const keys = {
    key: parseVerifierKey(logKey),
    witnesses: logWitnesses.flatMap((text) => parseVerifierKey(text) ?? []),
  }
  const included = await checkLogProof(proof, keys)
  const inclusionMs = performance.now() - started

  let memory: ReturnType<Parameters<typeof compareLog>[0]['read']> = {
    newest: { note: seen, logKey },
    alarm: null,
  }
  const compared = performance.now()
  await compareLog({
    fetchLog: async (path) => bytes.get(path),
    logKey,
    read: () => memory,
    write: (next) => void (memory = next),
    now: Date.now,
  })
  const consistencyMs = performance.now() - compared
  const isFollowed = memory.alarm === null && memory.newest !== null && memory.newest.note !== seen
  const isIncluded = included.ok && included.isSigned === true && included.cosignatures.length === 1
  return { inclusionMs, consistencyMs, holds: isIncluded && isFollowed }
}

declare global {
  var logBench: { check: typeof check }
}
globalThis.logBench = { check }
