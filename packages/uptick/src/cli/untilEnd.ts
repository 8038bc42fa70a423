import { msOf } from '../time.ts'
import { UsageError } from './command.ts'

/** A length of time in ms, such as 500ms, 10s, 5m or 2h. @throws UsageError if it is not one */
export function spanOf(text: string): number {
  try {
    return msOf(text)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Resolves at Ctrl-C, or at the end of the span. */
export function ended(signal: AbortSignal, span: number | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = span === null ? undefined : setTimeout(resolve, span)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

const progressEveryMs = 1000

/** One line on a terminal with how far the command is, each second until the returned function ends it. */
export function showProgress(text: () => string): () => void {
  if (!process.stderr.isTTY) return () => undefined
  const timer = setInterval(() => process.stderr.write(`\r${text()} `), progressEveryMs)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r')
  }
}

/** The progress of files that are written. */
export const tickCount = (files: readonly { ticks: number }[], what: string) => (): string =>
  `${files.reduce((sum, file) => sum + file.ticks, 0)} ticks of ${files.length} ${what}`
