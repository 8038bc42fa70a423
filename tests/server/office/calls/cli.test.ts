import { describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Route } from '../../../../contract/route.ts'
import { commands } from '../../../../server/office/cli/commands.ts'
import { help } from '../../../../server/office/cli/help.ts'
import { formatAnswer, waitingFor } from '../../../../server/office/cli/print.ts'
import { readArguments } from '../../../../server/office/cli/readArguments.ts'
import { sanitize, sanitizedJson, formatTable, widthOf } from '../../../../server/office/cli/table.ts'
import { readDuration, readInstant } from '../../../../server/office/cli/time.ts'

const read = (line: string) => readArguments(line.split(' ').filter((word) => word !== ''))

describe('readArguments', () => {
  it.each([
    ['deposits list', 'GET', '/deposits', undefined],
    [
      'deposits list --status under_review --limit 5',
      'GET',
      '/deposits?limit=5&status=under_review',
      undefined,
    ],
    ['--json --as mei deposits list', 'GET', '/deposits', undefined],
    ['withdrawals show W1', 'GET', '/withdrawals/W1', undefined],
    ['withdrawals approve a/b', 'POST', '/withdrawals/a%2Fb/approve', undefined],
    ['deposits reject D1 --reason No', 'POST', '/deposits/D1/reject', { reason: 'No' }],
    ['password-requests reject x --reason=-', 'POST', '/password-requests/x/reject', { reason: '-' }],
    ['password-requests approve x', 'POST', '/password-requests/x/approve', {}],
    ['password-requests approve x --called yes', 'POST', '/password-requests/x/approve', { called: true }],
    ['codes issue', 'POST', '/codes', {}],
    ['codes issue --uses 3', 'POST', '/codes', { uses: 3 }],
    ['codes revoke ABCD1234', 'POST', '/codes/ABCD1234/revoke', undefined],
    ['withdrawal-accounts unbind m', 'POST', '/withdrawal-accounts/m/unbind', undefined],
    ['members list --account gu', 'GET', '/members?account=gu', undefined],
    ['members level m 3', 'POST', '/members/m/level', { level: 3 }],
    ['members level m --level 3', 'POST', '/members/m/level', { level: 3 }],
    ['members credit m 0', 'POST', '/members/m/credit', { creditScore: 0 }],
    ['products maintenance A', 'POST', '/products/A/maintenance', {}],
    [
      'products maintenance A --opens-at 1767600000000',
      'POST',
      '/products/A/maintenance',
      { opensAt: 1_767_600_000_000 },
    ],
    ['site show', 'GET', '/site', undefined],
    ['site maintenance', 'POST', '/site/maintenance', {}],
    [
      'site maintenance --opens-at 1767600000000',
      'POST',
      '/site/maintenance',
      { opensAt: 1_767_600_000_000 },
    ],
    ['site open', 'POST', '/site/open', undefined],
    ['products open A', 'POST', '/products/A/open', undefined],
    [
      'messages send all --title A --body B --lang en',
      'POST',
      '/messages',
      { to: 'all', title: 'A', body: 'B', lang: 'en' },
    ],
    ['service reply m Hello', 'POST', '/service/m', { body: 'Hello' }],
    ['service show m --cursor x', 'GET', '/service/m?cursor=x', undefined],
    ['audit list --kind deposit --subject 7', 'GET', '/audit?kind=deposit&id=7', undefined],
    ['queues show deposits', 'GET', '/queues/deposits', undefined],
    [
      'queues show deposits --order largest --from 100.00 --waited 60 --show free --picture without',
      'GET',
      '/queues/deposits?order=largest&from=100.00&waited=60&show=free&picture=without',
      undefined,
    ],
    ['queues next deposits --order largest', 'POST', '/queues/deposits/next?order=largest', undefined],
    ['withdrawals approve w --note New', 'POST', '/withdrawals/w/approve', { note: 'New' }],
    ['withdrawals pay w --reference B', 'POST', '/withdrawals/w/pay', { reference: 'B' }],
    [
      'withdrawals pay w --reference B --shared-transfer yes',
      'POST',
      '/withdrawals/w/pay',
      { reference: 'B', sharedTransfer: true },
    ],
    ['service done m', 'POST', '/service/m/done', undefined],
    ['service reopen m', 'POST', '/service/m/reopen', undefined],
    ['members note m Called', 'POST', '/members/m/notes', { body: 'Called' }],
    ['limits show', 'GET', '/limits', undefined],
    ['limits withdrawals 500.00', 'POST', '/limits/withdrawals', { twoPersonsAbove: '500.00' }],
    ['clock show', 'GET', '/clock', undefined],
    ['clock advance 1d12h', 'POST', '/clock/advance', { ms: 129_600_000 }],
  ])('parses %s', (line, method, path, body) => {
    expect(read(line)).toMatchObject({ kind: 'call', call: { method, path, ...(body && { body }) } })
  })

  it.each([
    ['', 'a noun and a verb are missing'],
    ['ticks list', 'unknown noun ticks'],
    ['constructor list', 'unknown noun constructor'],
    ['deposits', 'deposits takes list, show, approve, reject'],
    ['deposits settle x', 'deposits takes list, show, approve, reject'],
    ['deposits show', 'ID is missing'],
    ['deposits show a b', 'unexpected argument b'],
    ['deposits reject x', '--reason is missing'],
    ['deposits list --limit 0', '--limit must be a whole number from 1 to 100'],
    ['deposits list --limit 101', '--limit must be a whole number from 1 to 100'],
    ['deposits list --status done', '--status is invalid'],
    ['deposits approve x --reason No', 'deposits approve has no option --reason'],
    ['deposits list --photos x', 'deposits list has no option --photos'],
    ['deposits list --loud', 'loud'],
    ['codes revoke', 'ID is missing'],
    ['codes issue --uses none', '--uses must be a whole number from 1 to 1000000'],
    ['members level m', '--level is missing'],
    ['members level m 6', '--level must be a whole number from 1 to 5'],
    ['members level m --level 0', '--level must be a whole number from 1 to 5'],
    ['members credit m many', '--score must be a whole number from 0 to 1000'],
    ['products maintenance A --opens-at soon', 'soon is not a time'],
    ['products maintenance A --opens-at 2026-05-01T02:00', '2026-05-01T02:00 has no time of day with a zone'],
    ['products maintenance A --opens-at 2026-05-01', '2026-05-01 has no time of day with a zone'],
    ['messages send m --title A --body B --link pages/fund/fund', '--link is invalid'],
    ['products maintenance a', 'ID is invalid'],
    ['messages send m --title A', '--body is missing'],
    ['news publish none/such.md', 'none/such.md cannot be read'],
    ['clock advance', 'TIME is missing'],
    ['clock advance 7', '7 is not a duration'],
    ['clock advance -7d', "'-7'"],
    ['clock advance 0d', '0d is not a duration'],
  ])('rejects %j', (line, message) => {
    expect(() => read(line)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    )
  })

  it('has a command for every back office route except uploads, which --photos fetches, and forms', () => {
    const verbs = Object.entries(commands).map(([noun, nounVerbs]) => [noun, Object.keys(nounVerbs)])
    const routes = Object.entries(officeRoutes).map(([noun, nounVerbs]) => [
      noun,
      Object.entries(nounVerbs as Record<string, Route>).flatMap(([verb, { form }]) => (form ? [] : [verb])),
    ])
    expect(Object.fromEntries(verbs)).toEqual(
      Object.fromEntries(routes.filter(([noun]) => noun !== 'uploads')),
    )
  })

  it.each(
    Object.entries(commands).flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => [noun, verb])),
  )('has help for %s %s', (noun = '', verb = '') => {
    expect(read(`${noun} ${verb} --help`)).toEqual({ kind: 'help', noun, verb })
    expect(read(`${noun} -h`)).toEqual({ kind: 'help', noun })
    expect(help(noun, verb)).toContain(`-- ${noun} ${verb}`)
    expect(help(noun)).toContain(`\n${verb}`)
    expect(help()).toContain(noun)
  })

  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['1d1s', 86_401_000],
  ])('%s is %d ms', (typed, ms) => {
    expect(readDuration(typed)).toBe(ms)
    expect(readInstant(typed, 1000)).toBe(1000 + ms)
  })
  it.each([
    ['2026-05-01T02:00Z', Date.UTC(2026, 4, 1, 2)],
    ['2026-05-01T10:00+08:00', Date.UTC(2026, 4, 1, 2)],
    ['1777600800000', 1_777_600_800_000],
  ])('readInstant accepts %s', (typed, at) => expect(readInstant(typed, 0)).toBe(at))
})

describe('output', () => {
  it('aligns columns by their width on a terminal', () => {
    expect(widthOf('王小明')).toBe(6)
    expect(widthOf('สมชาย')).toBe(5)
    expect(widthOf('ที่')).toBe(1)
    expect(
      formatTable(
        ['name', 'n'],
        [
          ['王小明', '1'],
          ['Mei', '22'],
        ],
      ),
    ).toBe('name    n\n王小明  1\nMei     22')
    expect(formatTable(['a'], [['x'.repeat(100)]])).toMatch(/^a\nx{58,59}…$/)
  })

  it('removes control characters from the text of members', () => {
    const text = 'a\u001b[2Jb\u009b31mc\u202ed\r\ne\u{e0041}'
    expect(sanitize(text)).toBe('a [2Jb 31mc d e ')
    const json = sanitizedJson({ text })
    expect(json).not.toMatch(/[\u0080-\u009f\u202e\u{e0041}]/u)
    expect(JSON.parse(json)).toEqual({ text })
  })

  it('formats lists, single objects and JSON', () => {
    const items = [{ id: 'x', at: 0, subject: { kind: 'deposit', id: 'y' }, reason: null }]
    const columns = ['at', 'subject', 'reason']
    expect(formatAnswer({ items, nextCursor: 'on' }, { json: false, columns })).toBe(
      'at                        subject            reason\n' +
        '1970-01-01T00:00:00.000Z  kind=deposit id=y  -\n\nmore: --cursor on',
    )
    expect(formatAnswer({ items: [], nextCursor: null }, { json: false, columns })).toBe('none')
    const one = { no: 'W1', account: { type: 'bank' }, timeline: [{ at: 0, step: 'requested' }], level: 2 }
    expect(formatAnswer(one, { json: false })).toBe(
      [
        'no            W1',
        'account.type  bank',
        'timeline      at=1970-01-01T00:00:00.000Z step=requested',
        'level         2',
      ].join('\n'),
    )
    expect(JSON.parse(formatAnswer({ items, nextCursor: null }, { json: true, columns }))).toEqual({
      items,
      nextCursor: null,
    })
  })
})

it('an answer without a cursor names none, and a period is shown as times', () => {
  const counts = { items: [{ queue: 'deposits', waiting: 0 }] }
  expect(formatAnswer(counts, { json: false, columns: ['queue', 'waiting'] })).toBe(
    'queue     waiting\ndeposits  0',
  )
  const frozen = {
    freeze: { from: 1_777_600_800_000, until: 1_777_600_800_000 },
    details: { from: 1, to: 2 },
  }
  expect(formatAnswer(frozen, { json: false })).toBe(
    [
      'freeze.from   2026-05-01T02:00:00.000Z',
      'freeze.until  2026-05-01T02:00:00.000Z',
      'details.from  1',
      'details.to    2',
    ].join('\n'),
  )
})

it('an answer that waits for another person says so', () => {
  const open = { freeze: null, proposal: { id: 'p', status: 'open' } }
  expect(waitingFor(open)).toBe('nothing is done yet: another person confirms it with proposals confirm p')
  for (const answer of ['a,b', null, { proposal: null }, { proposal: { id: 'p', status: 'confirmed' } }])
    expect(waitingFor(answer)).toBe(null)
})
