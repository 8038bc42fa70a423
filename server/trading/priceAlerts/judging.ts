import { asc, eq, inArray, sql } from 'drizzle-orm'
import { minuteMs, secondMs } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { priceAlert, priceAlertProgress } from '../schema.ts'
import type { Job } from '../../platform/jobs.ts'
import type { Messages, Push } from '../../notices/index.ts'
import type { Core } from '../../platform/module.ts'
import type { Market } from '../../market/index.ts'
import { AlertJudge, type JudgeState, type WaitingAlert } from './alertJudge.ts'
import { createAlertWriter } from './alertWriter.ts'

export type JudgingParts = Pick<Core, 'clock' | 'cluster' | 'report'> & {
  db: Db
  fence: Fence
  market: Market
  messages: Pick<Messages, 'prepare' | 'publish'>
  push: Pick<Push, 'onStored'>
  /** Called once per alert, after it is stored as reached. */
  onReached: (alert: WaitingAlert) => void
}

/** The judging of the leader; on another node it does nothing until `start`. */
export type Judging = {
  follow(alert: WaitingAlert): void
  forget(alert: WaitingAlert): void
  start: () => Promise<void>
  stop: () => Promise<void>
  jobs: readonly Job[]
}

const retryEveryMs = secondMs
/** A start reads at most the ticks of so long again. */
const saveEveryMs = minuteMs
const forgetEveryMs = 10 * minuteMs

/**
 * Judges the alerts that wait, for as long as this process leads. No tick costs a statement: what it reaches is written,
 * and once a minute how far all are judged, from where the next leader continues.
 */
export function createJudging(parts: JudgingParts): Judging {
  const { db, fence, market, cluster, report, onReached } = parts
  const onWritten = (alerts: readonly WaitingAlert[]): void => {
    alerts.forEach(onReached)
    parts.push.onStored()
  }
  const writer = createAlertWriter({ ...parts, onWritten })
  const judge = new AlertJudge({ market, report, onReached: (alerts) => writer.add(alerts) })
  const save = createSaver({ db, fence, judge, isStored: writer.isDone })
  let isLeading = false
  let unsubscribe = (): void => undefined
  return {
    follow: (alert) => {
      if (isLeading) judge.follow([alert])
    },
    forget: ({ id, productId }) => judge.forget(id, productId),
    start: async () => {
      unsubscribe = market.onFlush((flush) => judge.onFlush(flush))
      const [alerts, progress] = await Promise.all([
        db.select().from(priceAlert).orderBy(asc(priceAlert.no)),
        db.select().from(priceAlertProgress),
      ])
      judge.resume(alerts, new Map(progress.map(({ productId, seq }) => [productId, seq])))
      judge.follow(alerts.filter(({ joined }) => !joined))
      // From here on: a node that takes over serves members meanwhile, and what they create is taken up.
      isLeading = true
    },
    stop: async () => {
      if (!isLeading) return
      isLeading = false
      unsubscribe()
      await judge.idle()
      await writer.idle()
      await save().catch((error: unknown) => report('keeping how far price alerts are judged failed', error))
    },
    jobs: [
      {
        name: 'follow price alerts',
        everyMs: retryEveryMs,
        run: async () => {
          judge.retry()
          writer.run()
          if (cluster !== null) await takeUp(db, judge)
        },
      },
      {
        name: 'keep how far price alerts are judged',
        everyMs: saveEveryMs,
        run: async () => {
          await takeUp(db, judge)
          await save()
        },
      },
      ...(cluster === null ? [] : [forgetJob(db, judge)]),
    ],
  }
}

/** Also follows those that other nodes have created, or a call whose commit had no answer. */
async function takeUp(db: Db, judge: AlertJudge): Promise<void> {
  const isNew = eq(priceAlert.joined, false)
  judge.follow(await db.select().from(priceAlert).where(isNew).orderBy(asc(priceAlert.no)))
}

/** Other nodes remove alerts without telling this one. */
const forgetJob = (db: Db, judge: AlertJudge): Job => ({
  name: 'forget removed price alerts',
  everyMs: forgetEveryMs,
  run: async () => {
    const known = judge.all()
    const rows = await db.select({ id: priceAlert.id }).from(priceAlert)
    const waiting = new Set(rows.map(({ id }) => id))
    for (const { id, productId } of known) if (!waiting.has(id)) judge.forget(id, productId)
  },
})

type SaverParts = Pick<JudgingParts, 'db' | 'fence'> & {
  judge: AlertJudge
  /** Whether everything that was found is stored. */
  isStored: () => boolean
}

/** Stores how far the alerts are judged, if that has changed. */
function createSaver({ db, fence, judge, isStored }: SaverParts): () => Promise<void> {
  let saved: ReadonlyMap<string, number> = new Map()
  return async () => {
    // What is reached and not stored would be lost: the next leader does not judge it again.
    if (!isStored()) return
    const state = judge.state()
    const moved = [...state.progress].filter(([productId, seq]) => saved.get(productId) !== seq)
    if (moved.length === 0 && state.unmarked.length === 0) return
    await saveState({ db, fence }, moved, state)
    saved = state.progress
    for (const alert of state.unmarked) alert.joined = true
  }
}

/** In one transaction: an alert is joined only with the progress that it shares. */
function saveState(
  { db, fence }: Pick<JudgingParts, 'db' | 'fence'>,
  moved: readonly (readonly [string, number])[],
  { unmarked }: JudgeState,
): Promise<void> {
  return fence.transaction(db, async (tx) => {
    const ids = unmarked.map(({ id }) => id)
    if (ids.length > 0) await tx.update(priceAlert).set({ joined: true }).where(inArray(priceAlert.id, ids))
    if (moved.length === 0) return
    await tx
      .insert(priceAlertProgress)
      .values(moved.map(([productId, seq]) => ({ productId, seq })))
      .onConflictDoUpdate({ target: priceAlertProgress.productId, set: { seq: sql`excluded.seq` } })
  })
}
