// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { queueNames } from '../../contract/office/queues.ts'
import type { StaffRole } from '../../contract/office/staff.ts'
import {
  address,
  buttons,
  click,
  dialog,
  enter,
  field,
  links,
  lost,
  minutesAgo,
  now,
  openOffice,
  openRow,
  press,
  rows,
  settle,
  text,
  type OfficeAnswers,
} from '../support/officeSetup.tsx'

const open = (role: StaffRole, at = '/', answers: OfficeAnswers = {}) =>
  openOffice(
    at,
    {
      'content.news': { items: [], nextCursor: null },
      'content.highlights': { items: [], nextCursor: null },
      'members.list': { items: [], nextCursor: null },
      'audit.list': { items: [], nextCursor: null },
      ...answers,
    },
    { role, isWhole: true },
  )

it('that the site is closed is said on every screen', async () => {
  await open('support', '/members', { 'site.show': { status: 'maintenance', opensAt: null } })
  expect(text('body')).toContain('The site is closed: no new orders until it is opened.')
})

describe('the side bar', () => {
  it.each<[StaffRole, string, string[]]>([
    [
      'support',
      '/password-requests',
      [
        'Password requests',
        'Customer service',
        'Approvals',
        'All queues',
        'Members',
        'Maintenance',
        'Limits',
        'Opening codes',
      ],
    ],
    [
      'finance',
      '/deposits',
      ['Deposits', 'Withdrawals', 'Payments', 'Approvals', 'All queues', 'Members', 'Maintenance', 'Limits'],
    ],
    [
      'compliance',
      '/verifications',
      [
        'Verifications',
        'Password requests',
        'Customer service',
        'Approvals',
        'All queues',
        'Members',
        'Maintenance',
        'Limits',
        'Staff',
        'Act log',
      ],
    ],
    ['content', '/articles', ['News and pages', 'Maintenance', 'Limits']],
    ['admin', '/proposals', ['Approvals', 'Maintenance', 'Limits', 'Opening codes', 'Staff', 'Act log']],
  ])('shows %s what the role works on, and begins at %s', async (role, home, entries) => {
    await open(role)
    expect(links().filter((name) => !/Uptick|lin/.test(name))).toEqual(entries)
    expect(address()).toBe(home)
  })

  it('counts what waits, also in the title of the tab, every five seconds', async () => {
    const counts = (waiting: number) => ({
      at: now,
      items: queueNames.map((queue) => ({
        queue,
        waiting: queue === 'deposits' ? waiting : 0,
        oldestAt: now,
        claimed: 0,
        mine: 0,
        holders: [],
      })),
    })
    const desk = await open('finance', '/deposits', { 'queues.list': counts(3) })
    expect(links()).toContain('Deposits3 waiting')
    expect(document.title).toBe('(3) Uptick office')
    desk.answers['queues.list'] = counts(1200)
    await settle(5000)
    expect(links()).toContain('Deposits999+ waiting')
    desk.answers['queues.list'] = lost
    await settle(8000)
    expect(links()).toContain('Deposits999+ waiting')
  })

  it('has an overview of the queues: what waits, since when, and who has claimed how many', async () => {
    const none = { waiting: 0, oldestAt: null, claimed: 0, mine: 0, holders: [] }
    const holders = [
      { by: 'wang', claimed: 2 },
      { by: 'lin', claimed: 1 },
    ]
    const items = [
      { queue: 'deposits' as const, waiting: 12, oldestAt: minutesAgo(125), claimed: 3, mine: 1, holders },
      { ...none, queue: 'withdrawals' as const },
    ]
    await open('finance', '/deposits', { 'queues.list': { at: now, items } })
    await press('g', 'q')
    expect(rows('All queues')).toEqual(['Deposits | 12 | 2 h 05 min | wang 2, lin 1', 'Withdrawals | 0'])
    await openRow('All queues', 1)
    expect(address()).toBe('/withdrawals')
  })

  it('says that there is no such page', async () => {
    await open('finance', '/nothing')
    expect(text()).toContain('Page not found.')
  })

  it('opens each page with g and its letter, but not while a text is typed', async () => {
    await open('support', '/password-requests')
    await press('g', 'm')
    expect(address()).toBe('/members')
    field('Username begins with').focus()
    await press('g', 's')
    expect(address()).toBe('/members')
  })
})

describe('the help', () => {
  it('lists the keys of the page, and turns single keys off', async () => {
    await open('finance', '/deposits')
    await press('?')
    expect(dialog()).toBe('Shortcuts')
    expect(text('[role=dialog]')).toContain('Next')
    const lines = [...document.querySelectorAll('[role=dialog] dl > div')].map((line) => line.textContent)
    expect(lines).toEqual(expect.arrayContaining(['Undo, for 10 secondsU', 'Scroll the request downPgDn']))
    await click('Single-key shortcuts')
    await press('Escape')
    await press('g', 'w')
    expect(address()).toBe('/deposits')
  })
})

describe('commands and search', () => {
  const hit = {
    kind: 'member' as const,
    id: 'm1',
    no: null,
    memberId: 'm1',
    account: 'zhang.wei',
    name: '张伟' as string | null,
    status: 'frozen' as const,
    waiting: [],
    by: 'account' as const,
  }
  const options = (): string[] =>
    [...document.querySelectorAll('[role=option]')].map(({ firstChild }) => firstChild!.textContent!)
  const find = async (role: StaffRole, wanted: string, answers: OfficeAnswers = {}) => {
    const desk = await open(role, '/', answers)
    await press('Ctrl+k')
    await enter('Username, name, phone, or number of an order or request', wanted)
    await settle(300)
    return desk
  }

  it('runs a command by a part of its name', async () => {
    await find('finance', 'pay')
    expect(options()).toEqual(['Payments'])
    await press('Enter')
    expect(address()).toBe('/payments')
  })

  it('goes through the options with the arrows, around the ends', async () => {
    await open('finance', '/deposits')
    await press('/')
    const all = options()
    await press('ArrowUp')
    const active = () => document.querySelector('[role=option][aria-selected=true]')?.firstChild?.textContent
    expect(active()).toBe(all.at(-1))
    await press('ArrowDown', 'ArrowDown')
    expect(active()).toBe(all[1])
    await press('Escape')
    expect(options()).toEqual([])
  })

  type Hit = NonNullable<Parameters<typeof open>[2]>['search.find']
  it.each<[StaffRole, object, string, string]>([
    ['support', {}, 'zhang.wei · 张伟', '/members/m1'],
    [
      'support',
      { kind: 'order', id: 'o1', no: 'UT-1', name: null, status: 'won', by: 'number' },
      'UT-1 · zhang.wei',
      '/members/m1?tab=orders&order=o1',
    ],
    [
      'finance',
      { kind: 'withdrawal', id: 'w1', no: 'W-1', status: 'under_review', by: 'number' },
      'W-1 · zhang.wei · 张伟',
      '/withdrawals/w1',
    ],
    [
      'support',
      { kind: 'withdrawal', id: 'w1', no: 'W-1', status: 'under_review', by: 'number' },
      'W-1 · zhang.wei · 张伟',
      '/members/m1?tab=requests',
    ],
  ])('lets %s open what the venue finds', async (role, part, shown, opened) => {
    const none = { items: [], nextCursor: null }
    const desk = await find(role, ' zhang', {
      'search.find': { items: [{ ...hit, ...part }] } as Hit & object,
      'members.show': lost,
      'withdrawals.show': lost,
      'members.orders': none,
    })
    expect(options()[0]).toBe(shown)
    expect(desk.sent('search.find').map(({ body }) => body)).toEqual([{ q: 'zhang' }])
    await press('Enter')
    expect(address()).toBe(opened)
  })

  it('shows how a member stands, and what waits, which opens in its queue', async () => {
    const waiting = [{ queue: 'deposits' as const, id: 'd1', no: 'D-1' }]
    await find('finance', 'zhang', {
      'search.find': { items: [{ ...hit, waiting }] },
      'deposits.show': lost,
    })
    expect(buttons().slice(0, 2)).toEqual([
      'zhang.wei · 张伟Member · frozen · by username',
      'Deposits · D-1 · zhang.weiwaiting',
    ])
    await press('ArrowDown', 'Enter')
    expect(address()).toBe('/deposits/d1')
  })

  it('finds a name of two characters', async () => {
    const desk = await find('support', '张伟', { 'search.find': { items: [hit] } })
    expect(desk.sent('search.find').map(({ body }) => body)).toEqual([{ q: '张伟' }])
  })

  it('offers what can be done about the member of the open request', async () => {
    await open('support', '/service/m1', {
      'service.show': { items: [], nextCursor: null, member: { account: 'zhang.wei', language: 'de' } },
      'members.show': lost,
    })
    await press('Ctrl+k')
    await enter('Username, name, phone, or number of an order or request', 'freeze')
    expect(buttons()).toEqual(['Freezethis member'])
    await press('Enter')
    expect(address()).toBe('/members/m1?act=member.freeze')
  })

  it.each([
    ['nothing is found', { items: [] }, 'Nothing found. You can search for part of a username'],
    ['the venue cannot be asked', lost, 'You’re offline. Check your connection and try again.'],
  ])('says so if %s', async (_, answer, said) => {
    await find('finance', 'qqq', { 'search.find': answer })
    await settle(3000)
    expect(text('[role=dialog]')).toContain(said)
    expect(buttons()).not.toContain('zhang.wei')
  })

  it.each<[StaffRole, string]>([
    ['finance', 'zh'],
    ['admin', 'zhang'],
  ])('asks nothing for %s that wrote %s', async (role, wanted) => {
    const desk = await find(role, wanted)
    expect(desk.sent('search.find')).toEqual([])
  })
})
