import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { retention, type Kept } from '../../../../contract/retention.ts'
import * as tables from '../../../support/tables.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/operating.md'), 'utf8')
const [, table = ''] = /## What is stored, and for how long\n\n([^]*?)\n\n/.exec(page) ?? []
/** What is stored, and when it is deleted. */
const rows = new Map(
  table.split('\n').map((line): [string, string] => {
    const [, what = '', deleted = ''] = line.split('|').map((cell) => cell.trim())
    return [what, deleted]
  }),
)

const text = ({ count, unit }: Kept): string => `${count} ${unit}${count === 1 ? '' : 's'}`

describe('what is stored, in docs/operating.md', () => {
  it.each<[row: string, ...figures: Kept[]]>([
    ['stored answers of keyed requests', retention.answers],
    ['sessions', retention.sessionUnused, retention.session],
    ['login history', retention.loginHistory],
    ['failed logins; wrong passwords and codes', retention.failedLogins, retention.wrongCodes],
    ['push subscriptions', retention.notifications],
    ['messages', retention.messages],
    ['pictures', retention.unusedPictures],
  ])('is deleted after the time of the one table: %s', (row, ...figures) => {
    const told = rows.get(row)?.match(/\d+ \w+/g)
    expect(told).toEqual(figures.map(text))
  })

  it('and the defaults of the settings are those of the table', () => {
    const defaultOf = (field: string) => new RegExp(`\\| \`${field}\` *\\| (\\d+) `).exec(page)?.[1]
    expect(defaultOf('rejectedPhotosKeptDays')).toBe(String(retention.rejectedPhotos.count))
    expect(defaultOf('closedDataKeptYears')).toBe(String(retention.closedData.count))
  })
})

/** The tables with data of members, each with what the page calls it: there, or under closed accounts. */
const memberTables: Record<string, string> = {
  audit: 'act log',
  balance: 'postings',
  deposit: 'deposits with proofs',
  erased_member: 'erases names',
  fund_account: 'fund',
  fund_earning: 'fund',
  fund_lot: 'fund',
  fund_record: 'fund',
  hold: 'postings',
  idempotency: 'stored answers of keyed requests',
  login_event: 'login history',
  lone_decision: 'act log',
  member_code_failure: 'wrong passwords and codes',
  member_freeze: 'freezes',
  member_limit: 'self-limits',
  member_note: 'notes of the staff',
  member_passkey: 'passkeys',
  member_recovery_code: 'recovery codes',
  member_totp: 'authenticator app',
  message: 'messages',
  message_mute: 'messages',
  orders: 'orders',
  password_failure: 'wrong passwords and codes',
  password_recovery_code: 'passwords',
  password_request: 'requests under review',
  posting: 'postings',
  price_alert: 'price alerts',
  proposal: 'act log',
  proposal_note: 'notes of the staff',
  push_subscription: 'push subscriptions',
  sealed_index: 'ID number',
  service_message: 'conversations',
  session: 'sessions',
  upload: 'pictures',
  verification: 'verifications',
  withdrawal: 'withdrawals',
  withdrawal_account: 'withdrawal accounts',
}

it('every table with data of members is named there', () => {
  const withMembers = Object.values(tables)
    .filter((each) => is(each, PgTable))
    .filter((each) => {
      const columns = new Set(Object.values(getTableColumns(each)).map(({ name }) => name))
      return columns.has('member_id') || columns.has('owner_id')
    })
    .map((each) => getTableName(each))
    .filter((name) => !name.startsWith('staff_'))
  const [section = ''] = /## What is stored[^]*(?=### `uptick.prune`)/.exec(page) ?? []
  expect(withMembers.length).toBeGreaterThan(30)
  const isTold = (name: string) => section.includes(memberTables[name] ?? '?')
  expect(withMembers.filter((name) => !isTold(name))).toEqual([])
})
