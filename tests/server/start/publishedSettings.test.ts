import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { callRoles } from '../../../contract/office/roles.ts'
import { fourEyesActs } from '../../../contract/office/fourEyes.ts'
import { staffRoles } from '../../../contract/office/staff.ts'
import { addDays, type BusinessDay } from '../../../contract/time.ts'
import { readSettings, type Settings } from '../../../server/start/config.ts'
import type { Database } from '../../../server/platform/db/open.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { operatorSetting } from '../../../server/platform/db/schema.ts'
import { per10kOf, type FundConfig } from '../../../server/money/fund/fundConfig.ts'
import { publishedSettingsOf, publishSettings } from '../../../server/start/publishedSettings.ts'
import { leadDatabase } from '../../support/ledDatabase.ts'

let database: Database
beforeEach(async () => {
  database = await withDatabase()
})

const defaults = readSettings({})
const settingsWith = (fund: Partial<FundConfig>, settings: Partial<Settings> = {}): Settings => {
  const { operatorConfig } = defaults
  return {
    ...defaults,
    ...settings,
    operatorConfig: { ...operatorConfig, fund: { ...operatorConfig.fund, ...fund } },
  }
}
const publish = async (settings: Settings, now: number): Promise<void> =>
  publishSettings(
    { db: database.db, fence: await leadDatabase(database), now },
    publishedSettingsOf(settings),
  )
const rows = () =>
  database.db.select().from(operatorSetting).orderBy(asc(operatorSetting.sinceAt), asc(operatorSetting.key))

describe('what the operator has set', () => {
  it('is written where it changes, from now on', async () => {
    const first = settingsWith({ per10k: { '2026-01-01': '0.6000' }, practicePer10k: ['0.5000', '0.5100'] })
    const fund = { from: { '2026-01-01': 6000 }, cycle: [5000, 5100] }
    const written: object[] = [
      { key: 'four_eyes', sinceAt: 1000, value: { above: '1000.00', inAll: null, always: false } },
      { key: 'fund_rates', sinceAt: 1000, value: fund },
      { key: 'passwords', sinceAt: 1000, value: { selfService: false } },
    ]
    await publish(first, 1000)
    expect(await rows()).toEqual(written)
    await publish(first, 2000)
    expect(await rows()).toEqual(written)
    await publish({ ...first, fourEyes: 'on' }, 500)
    written.push({ key: 'four_eyes', sinceAt: 1001, value: { above: '1000.00', inAll: null, always: true } })
    expect(await rows()).toEqual(written)
  })
})

describe('the rate of a day of the fund', () => {
  const day = '2026-02-27' as BusinessDay
  const days = Array.from({ length: 400 }, (_, i) => addDays(day, i - 200))
  const inDatabase = async (): Promise<unknown[]> => {
    const { rows } = await database.pool.query<{ rate: number | null }>(
      `SELECT fund_rate_of(day) AS rate FROM unnest($1::text[]) WITH ORDINALITY d (day, n) ORDER BY n`,
      [days],
    )
    return rows.map(({ rate }) => rate)
  }
  it.each([
    ['of practice mode', 'practice', {}],
    ['of practice mode with published ones', 'practice', { '2026-03-05': '0.7000', '2026-01-31': '0.6543' }],
    ['of live mode', 'live', { '2026-03-05': '0.7000', '2026-01-31': '0.6543' }],
    ['of live mode without published ones', 'live', {}],
  ] as const)('is that of the settings: %s', async (_what, mode, per10k) => {
    const settings = settingsWith({ per10k }, { mode })
    await publish(settings, 1000)
    const { fund } = settings.operatorConfig
    expect(await inDatabase()).toEqual(days.map((each) => per10kOf(fund, mode === 'practice', each)))
  })
  it('is unknown while nothing is published', async () => {
    expect(new Set(await inDatabase())).toEqual(new Set([null]))
  })
  it('of live mode is not written before the day has begun', async () => {
    await publish(settingsWith({ per10k: { '2026-01-01': '0.6000' } }, { mode: 'live' }), 1000)
    const write = (date: string) =>
      database.pool.query(`INSERT INTO fund_rate VALUES (${date}, fund_rate_of(${date}))`)
    const utcDay = (plus: number) =>
      `to_char((clock_timestamp() AT TIME ZONE 'UTC') + interval '${plus} day', 'YYYY-MM-DD')`
    await write(utcDay(-1))
    await database.owner.query(
      `ALTER TABLE setting DISABLE TRIGGER ALL; UPDATE setting SET value = '"live"' WHERE key = 'mode'`,
    )
    await write(utcDay(-2))
    await expect(write(utcDay(2))).rejects.toMatchObject({ code: '23001' })
  })
})

it('the database knows the roles that decide what takes two persons', async () => {
  const { rows: found } = await database.pool.query<{ act: string; role: string }>(
    `SELECT act, role FROM unnest($1::text[]) act, unnest($2::text[]) role WHERE decides(act, role)`,
    [[...fourEyesActs], [...staffRoles]],
  )
  const inShort = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map((pair) => pair.join(' ')).toSorted()
  expect(inShort(found.map(({ act, role }) => [act, role]))).toEqual(
    inShort(fourEyesActs.flatMap((act) => callRoles[act].map((role) => [act, role] as const))),
  )
})
