import { feedLiveMs, feedStaleMs } from '../../contract/constants.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { Clock, Session } from '../ports.ts'
import type { Book } from './book.ts'

/** Whether a product trades at `now`. Maintenance goes before closed time, and ends by itself at its `opensAt`. */
export function sessionOf({ maintenance, feed }: Pick<Book, 'maintenance' | 'feed'>, now: number): Session {
  if (maintenance && (maintenance.opensAt === null || now < maintenance.opensAt)) {
    return { status: 'maintenance', opensAt: maintenance.opensAt, closesAt: null }
  }
  const { open, opensAt, closesAt } = feed.sessionAt(now)
  return { status: open ? 'open' : 'closed', opensAt, closesAt }
}

const sameSession = (a: Session, b: Session): boolean =>
  a.status === b.status && a.opensAt === b.opensAt && a.closesAt === b.closesAt

/** How far a watermark is behind the clock. */
export function freshness(behindMs: number): FeedStatus {
  if (behindMs <= feedLiveMs) return 'live'
  return behindMs <= feedStaleMs ? 'stale' : 'down'
}

type Listener = (id: string, session: Session) => void

/** Notices when products open, close, or enter or leave maintenance. */
export class Sessions {
  readonly #books: readonly Book[]
  readonly #clock: Clock
  readonly #report: (what: string, error: unknown) => void
  readonly #seen = new Map<string, Session>()
  readonly #listeners = new Set<Listener>()

  constructor(books: readonly Book[], clock: Clock, report: (what: string, error: unknown) => void) {
    this.#books = books
    this.#clock = clock
    this.#report = report
    this.look()
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Compares each product with what it was, and tells what changed. */
  look(): void {
    const now = this.#clock.now()
    for (const book of this.#books) {
      const { id } = book.settings
      const session = sessionOf(book, now)
      const before = this.#seen.get(id)
      if (before && sameSession(before, session)) continue
      this.#seen.set(id, session)
      if (before) this.#tell(id, session)
    }
  }

  #tell(id: string, session: Session): void {
    for (const listener of this.#listeners) {
      try {
        listener(id, session)
      } catch (error) {
        this.#report('a listener of sessions failed', error)
      }
    }
  }
}
