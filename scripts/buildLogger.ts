import { createLogger, type LogLevel, type LogOptions, type Logger } from 'vite'

/**
 * A warning of Vite that does not apply: what `composes … from` loads is parsed without its name, which matters only to
 * a `url()` in it.
 */
const expectedWarning = 'did not pass the `from` option'

/** Vite's logger without the warnings that a build of these sources always has. */
export function buildLogger(): Logger {
  const at = process.argv.indexOf('--logLevel')
  const level = at === -1 ? undefined : (process.argv[at + 1] as LogLevel)
  const defaultLogger = createLogger(level)
  const isExpected = (text: string): boolean => text.includes(expectedWarning)
  return Object.assign(Object.create(defaultLogger) as Logger, {
    warn: (text: string, options?: LogOptions) =>
      void (isExpected(text) || defaultLogger.warn(text, options)),
    warnOnce: (text: string, options?: LogOptions) =>
      void (isExpected(text) || defaultLogger.warnOnce(text, options)),
  })
}
