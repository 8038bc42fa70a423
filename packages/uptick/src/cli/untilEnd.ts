import { msOf } from '../time.ts'
import { UsageError, messageOf } from './command.ts'

/** A length of time in ms, such as 500ms, 10s, 5m or 2h. @throws UsageError if it is not one */
export function spanOf(text: string): number {
  try {
    return msOf(text)
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

/** 24 days: a longer timer ends at once. */
const timerMaxMs = 2 ** 31 - 1

/** Resolves at Ctrl-C, or at the end of the span. */
export function ended(signal: AbortSignal, span: number | null = null): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const wait = (left: number): void => {
      if (left <= 0) stop()
      else timer = setTimeout(wait, Math.min(left, timerMaxMs), left - timerMaxMs)
    }
    if (span !== null) wait(span)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

const shownEveryMs = 1000
const notedEveryMs = 60_000

/**
 * Says how far the command is until the returned function ends it: one line on a terminal that is written again each second,
 * elsewhere a line each minute to `note`.
 */
export function showProgress(
  text: () => string,
  note?: (line: string) => void,
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): () => void {
  if (!terminal.isTTY) {
    const timer = setInterval(() => note?.(text()), notedEveryMs)
    return () => clearInterval(timer)
  }
  const clearLine = '\r\u001b[K'
  const timer = setInterval(() => terminal.write(`${clearLine}${text()}`), shownEveryMs)
  return () => {
    clearInterval(timer)
    terminal.write(clearLine)
  }
}

/** What a recording is doing. `ticks` and `files` of this run. */
export type RecordingProgress = {
  ticks: number
  files: number
  /** When the last tick arrived, epoch ms; null if none has. */
  lastAt: number | null
  reconnects: number
}

/** What this run has added to the files of all products. */
export const sumOf = (
  all: readonly { ticks: number; files: number }[],
): Pick<RecordingProgress, 'ticks' | 'files'> => ({
  ticks: all.reduce((sum, { ticks }) => sum + ticks, 0),
  files: all.reduce((sum, { files }) => sum + files, 0),
})

/** `1200 ticks in 5 files, the last 2 s ago, 1 reconnect` */
export function progressText({ ticks, files, lastAt, reconnects }: RecordingProgress, now: number): string {
  const last =
    lastAt === null ? 'none yet' : `the last ${Math.max(0, Math.floor((now - lastAt) / 1000))} s ago`
  return `${count(ticks, 'tick')} in ${count(files, 'file')}, ${last}, ${count(reconnects, 'reconnect')}`
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
