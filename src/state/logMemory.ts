import * as z from 'zod/mini'
import { createEmitter } from '../lib/emitter.ts'
import { readJson, watchStorage, writeText } from './storage.ts'

export const logMemoryKey = 'publicLog'

const signed = z.object({ note: z.string(), logKey: z.string() })
/** A signed checkpoint of the public log, with the key that it was verified with. */
export type SeenCheckpoint = z.infer<typeof signed>

const logAlarm = z.object({
  /** `fork`: it does not continue what this device saw; `replaced`: there is a log with another name or another key. */
  kind: z.enum(['fork', 'replaced']),
  /** What this device saw first, and what the venue shows now. */
  before: signed,
  now: signed,
  at: z.int(),
  /** The tiles that the venue answered with, in base64 by path. */
  tiles: z.record(z.string(), z.string()),
})
export type LogAlarm = z.infer<typeof logAlarm>

const stored = z.object({
  v: z.literal(1),
  newest: z.nullable(signed),
  alarm: z.nullable(logAlarm),
  formerKeys: z._default(z.array(z.string()), []),
})
type SeenLog = { newest: SeenCheckpoint | null; alarm: LogAlarm | null }
type LogMemory = SeenLog & {
  /** Of logs that others have replaced, newest first: receipts of that time are signed with them. */
  formerKeys: readonly string[]
}

/** A venue's log is replaced hardly ever. */
const formerKeysMax = 10

const emitter = createEmitter()
let current: LogMemory | null = null

/** The newest checkpoint that this device has seen, for all accounts, and what was wrong with a later one. */
export function readLogMemory(): LogMemory {
  if (current !== null) return current
  const parsed = stored.safeParse(readJson(logMemoryKey))
  const { newest, alarm, formerKeys } = parsed.success
    ? parsed.data
    : { newest: null, alarm: null, formerKeys: [] }
  current = { newest, alarm, formerKeys }
  return current
}

export function writeLogMemory({
  newest,
  alarm,
  formerKeys = readLogMemory().formerKeys,
}: SeenLog & Partial<LogMemory>): void {
  current = { newest, alarm, formerKeys }
  writeText(logMemoryKey, JSON.stringify({ v: 1, ...current }))
  emitter.emit()
}

/** Follows what other tabs store: an alarm of theirs, and that it was read there. */
export function followLogMemory(): () => void {
  return watchStorage([logMemoryKey], () => {
    current = null
    emitter.emit()
  })
}

/** The alarm was read: from now on the log that the venue shows is followed. */
export function dismissLogAlarm(): void {
  const { alarm, newest, formerKeys } = readLogMemory()
  const replaced = alarm && alarm.now.logKey !== alarm.before.logKey ? [alarm.before.logKey] : []
  writeLogMemory({
    newest: alarm?.now ?? newest,
    alarm: null,
    formerKeys: [...new Set([...replaced, ...formerKeys])].slice(0, formerKeysMax),
  })
}

/** For `useSyncExternalStore`. */
export const watchLogAlarm = emitter.subscribe
export const activeLogAlarm = (): LogAlarm | null => readLogMemory().alarm
