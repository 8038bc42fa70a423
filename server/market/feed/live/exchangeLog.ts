import { dayMs } from '../../../../contract/time.ts'
import { CountedWarnings } from '../../../platform/countedWarnings.ts'
import type { LogLine } from '../../../platform/ports.ts'
import { QuietProducts } from './quiet.ts'
import { ResumedLog } from './resumed.ts'
import type { RawTick } from './sourceTick.ts'

/** The log lines about one exchange. */
export class ExchangeLog {
  readonly quiet: QuietProducts
  readonly resumed: ResumedLog
  /** Counts an anomaly of a product or symbol. */
  readonly count: (id: string, what: string, detail: string) => void
  readonly #name: string
  readonly #logLine: LogLine
  readonly #errors: CountedWarnings
  #status: string | null = null

  constructor(name: string, logLine: LogLine) {
    const warnings = new CountedWarnings((what) => logLine('warn', what))
    this.count = (id, what, detail) => warnings.count(id, what, detail)
    this.quiet = new QuietProducts((id, source) => this.count(id, 'no tick for five minutes', source))
    this.resumed = new ResumedLog(logLine, name)
    this.#name = name
    this.#logLine = logLine
    this.#errors = new CountedWarnings((what) => logLine('error', what))
  }

  /** Counts an anomaly of the exchange itself. */
  countOwn(what: string, detail: string): void {
    this.count(this.#name, what, detail)
  }

  /** A rejection that names no symbol. */
  rejected(what: string): void {
    this.#errors.count(this.#name, 'subscription rejected', what)
  }

  wrongInstant(id: string, { sourceId, sourceAt }: RawTick, now: number): void {
    const ms = Math.abs(sourceAt - now)
    const where = `${(ms / 1000).toFixed(1)} s ${sourceAt > now ? 'ahead of' : 'behind'} the venue's clock`
    const why = ms > dayMs ? `${sourceAt} is not now in ms` : where
    this.count(id, 'tick with a wrong instant dropped', `${sourceId}: ${why}`)
  }

  renewed(why: string): void {
    this.#logLine('info', `${this.#name}: connection renewed ${why}`)
  }

  /** An exchange's own notices, such as maintenance: logged once, and once more when it ends. */
  said(what: string, isNormal: boolean): void {
    const status = isNormal ? null : what
    if (status === this.#status) return
    this.#status = status
    this.#logLine(isNormal ? 'info' : 'warn', `${this.#name} says: ${what}`)
  }
}
