import type { FastifyInstance } from 'fastify'
import {
  amountDecimals,
  amountMax,
  appVersion,
  defaultLanguage,
  languages,
  levels,
} from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import { china, type PhoneCountry } from '../../../contract/phones.ts'
import { specifiedChineseNames, type ChineseNames } from '../../../contract/rules.ts'
import { hourMs } from '../../../contract/time.ts'
import { venueRoutes, type VenueConfig } from '../../../contract/venueConfig.ts'
import { companyLines } from '../../platform/company.ts'
import type { BusinessClock } from '../../money/index.ts'
import type { Settings } from '../config.ts'
import type { Module } from '../../platform/module.ts'
import type { OperatorConfig } from '../operatorConfig.ts'
import type { OperatorSettings } from '../../platform/settings.ts'
import type { Market, PublicLog } from '../../market/index.ts'
import type { VenueStatusStore } from '../../trading/index.ts'
import { describeSocket } from '../../platform/http/asyncApi.ts'
import { mount } from '../../platform/http/mount.ts'
import type { NodeHealth } from '../../checks/index.ts'
import { serveDescription } from '../../platform/http/description.ts'

export type VenueConfigParts = {
  settings: Pick<Settings, 'mode' | 'feed' | 'currency' | 'zone' | 'withdrawalRestMs'> &
    OperatorSettings<
      OperatorConfig,
      | 'name'
      | 'company'
      | 'serviceHours'
      | 'imageBaseHost'
      | 'serviceUrl'
      | 'passwordSelfService'
      | 'longPolling'
      | 'countryNames'
      | 'phoneRules'
      | 'chineseNames'
    >
  build: string
  venueStatus: Pick<VenueStatusStore, 'state'>
  market: Pick<Market, 'flushedAt'>
  business: Pick<BusinessClock, 'offsetMs'>
  health: NodeHealth
  publicLog: Pick<PublicLog, 'config'>
}

/** If no flush succeeded for this long, the venue is reported as stalled: it cannot accept orders. */
const stalledMs = 10_000
/** A node this far behind the newest committed flush shows old prices, and refuses orders because of them. */
const behindMs = 2000

/** The routes about the venue itself: time, configuration, its descriptions and health. */
export function createVenueConfig(parts: VenueConfigParts): Module {
  return { mount: (app) => mountRoutes(app, parts) }
}

function mountRoutes(app: FastifyInstance, parts: VenueConfigParts): void {
  const { clock } = app.requestContext
  mount(app, venueRoutes.time, async () => ({ now: clock.now() }))
  mount(app, venueRoutes.config, async () => configOf(parts))
  serveDescription(app, '/api/openapi.json', () => app.swagger())
  serveDescription(app, '/api/asyncapi.json', describeSocket)
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => {
    const status = await readiness(parts, clock.now())
    return reply.code(status === 'serving' ? 200 : 503).send({ status })
  })
  app.get('/healthz/live', { schema: { hide: true } }, async () => ({ status: 'alive' }))
}

type Readiness = 'serving' | 'disconnected' | 'behind' | 'stalled'

/** Whether members should be sent to this node. Whether it leads makes no difference. */
async function readiness({ health, market }: VenueConfigParts, now: number): Promise<Readiness> {
  const { database } = await health.read()
  if (database === null) return 'disconnected'
  if (database.lagMs >= behindMs) return 'behind'
  // Flushes are failing for the whole venue, not just one source.
  return now - market.flushedAt() > stalledMs ? 'stalled' : 'serving'
}

function configOf({ settings, build, venueStatus, business, publicLog }: VenueConfigParts): VenueConfig {
  const { operatorConfig } = settings
  const { status, opensAt } = venueStatus.state()
  return {
    name: operatorConfig.name,
    version: appVersion,
    build,
    mode: settings.mode,
    feed: settings.feed,
    currency: settings.currency,
    zone: settings.zone,
    businessOffsetMs: business.offsetMs(),
    languages: [...languages],
    defaultLanguage,
    imageBaseHost: operatorConfig.imageBaseHost,
    amount: { max: formatMoney(amountMax), decimals: amountDecimals },
    levels: levels.map((level) => ({ ...level })),
    serviceUrl: operatorConfig.serviceUrl,
    passwordSelfService: operatorConfig.passwordSelfService,
    ...(operatorConfig.longPolling && { longPolling: true }),
    ...(Object.keys(operatorConfig.countryNames).length > 0 && { countryNames: operatorConfig.countryNames }),
    ...(needsPhoneRules(operatorConfig.phoneRules) && { phoneRules: operatorConfig.phoneRules }),
    ...(needsNameRule(operatorConfig.chineseNames) && { chineseNames: operatorConfig.chineseNames }),
    ...(operatorConfig.company && { company: companyLines(operatorConfig.company) }),
    ...(Object.keys(operatorConfig.serviceHours).length > 0 && { serviceHours: operatorConfig.serviceHours }),
    siteStatus: status,
    withdrawalRestHours: settings.withdrawalRestMs / hourMs,
    ...publicLog.config(),
    ...(status === 'maintenance' && { siteOpensAt: opensAt }),
  }
}

/** The client has the specification's rule built in. */
const needsNameRule = ({ maxLength, middleDot }: ChineseNames): boolean =>
  maxLength !== specifiedChineseNames.maxLength || middleDot !== specifiedChineseNames.middleDot

/** Whether the client needs the rules: it has China's rule built in. */
const needsPhoneRules = (rules: readonly PhoneCountry[]): boolean =>
  rules.length !== 1 || rules[0]?.country !== china.country || rules[0].pattern !== china.pattern
