import { epochMs } from '../../../contract/units.ts'
import { statusDays, statusRoutes, type ChecksReport, type StatusReport } from '../../../contract/status.ts'
import { dayMs } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Freezes } from '../../money/index.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import { chargeAnswer, mount } from '../../platform/http/mount.ts'
import { answerCost } from '../../platform/http/rateLimiter.ts'
import type { RefundReader, Market, PublicLog } from '../../market/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock } from '../../platform/ports.ts'
import type { NightlyFindings } from '../nightly/findings.ts'
import type { NightlyChecks } from '../nightly/nightlyChecks.ts'
import type { VenueStatusStore } from '../../trading/index.ts'
import { readOutcomes } from './outcomes.ts'
import { gapsIn, productReportOf, type Period } from './productReport.ts'

export type PublicStatusParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  market: Market
  refunds: Pick<RefundReader, 'since'>
  venueStatus: Pick<VenueStatusStore, 'state'>
  publicLog: Pick<PublicLog, 'report'>
  nightlyChecks: Pick<NightlyChecks, 'found'>
  freezes: Pick<Freezes, 'counts'>
}

/** The report is made at most this often, however many requests there are. */
const freshMs = 10_000

/**
 * The public status of the venue, without an account, on every node: `GET /api/status`. It is built from memory and
 * from two queries whose cost does not depend on the number of orders, and is encoded once.
 */
export function createPublicStatus(parts: PublicStatusParts): Module {
  const encoded = createFreshValue(parts.clock, freshMs, async () => {
    const { products, ...report } = await reportOf(parts)
    return {
      bytes: Buffer.from(JSON.stringify({ ...report, products })),
      tokens: answerCost({ items: products }),
    }
  })
  return {
    mount: (app) =>
      mount(app, statusRoutes.status, async ({ request, reply }) => {
        const { bytes, tokens } = await encoded()
        chargeAnswer(request, tokens)
        reply.type('application/json; charset=utf-8')
        return bytes
      }),
  }
}

async function reportOf(parts: PublicStatusParts): Promise<StatusReport> {
  const { db, clock, market, refunds, venueStatus, publicLog, nightlyChecks, freezes } = parts
  const period = periodAt(clock.now())
  const products = await Promise.all(
    market.ids.flatMap((id) => {
      const settings = market.settings(id)
      // A witness takes no orders: it is part of its product.
      if (settings === undefined || settings.witnessOf !== undefined) return []
      return market.gaps(id).then((gaps) => ({ settings, gaps: gapsIn(gaps, period) }))
    }),
  )
  const oldest = products.reduce((at, { gaps }) => Math.min(at, gaps[0]?.from ?? at), period.from)
  const [refunded, outcomes, log, found] = await Promise.all([
    refunds.since(oldest),
    readOutcomes(db, period.from),
    publicLog.report(),
    nightlyChecks.found(),
  ])
  return {
    at: epochMs(period.at),
    from: epochMs(period.from),
    site: venueStatus.state(),
    products: products.map(({ settings, gaps }) =>
      productReportOf(
        market,
        settings,
        period,
        gaps,
        refunded.get(settings.id) ?? [],
        outcomes.get(settings.id),
      ),
    ),
    frozen: freezes.counts(),
    log,
    checks: checksReportOf(found),
  }
}

/** What the venue found when it checked itself, without what only the operator needs. */
const checksReportOf = ({ results, log, books }: NightlyFindings): ChecksReport => ({
  results: results && {
    at: epochMs(results.at),
    orders: results.orders,
    differing: results.differing,
    differedAt: epochMs(results.differedAt),
  },
  log: log && {
    at: epochMs(log.at),
    ticks: log.ticks,
    damaged: log.damaged,
    damagedAt: epochMs(log.damagedAt),
  },
  books: books && { at: epochMs(books.at), postings: books.postings, differing: books.differing },
})

/** The last days in UTC, today included: outcomes are counted by day. */
const periodAt = (at: number): Period => ({ from: (Math.floor(at / dayMs) - statusDays + 1) * dayMs, at })
