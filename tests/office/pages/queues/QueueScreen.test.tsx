// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { QueueItem } from '../../../../contract/office/queues.ts'
import { approvedWithdrawal, deposit, listed, withdrawal } from '../../../support/officeRequests.ts'
import {
  address,
  alerts,
  buttons,
  click,
  enter,
  field,
  goTo,
  lost,
  minutesAgo,
  now,
  openOffice,
  openRow,
  press,
  refused,
  rows,
  settle,
  text,
  toasts,
  wideLimits,
} from '../../../support/officeSetup.tsx'

const item = (id: string, part: Partial<QueueItem> = {}): QueueItem => ({
  ...listed(id),
  no: `D-261124-${id}`,
  memberId: `m-${id}`,
  account: `account-${id}`,
  language: null,
  amount: '1200.00',
  createdAt: minutesAgo(5),
  ...part,
})
const held = (by: string) => ({ claim: { by, until: now + 600_000 } })
const list = (...items: QueueItem[]) => ({ items, nextCursor: null })
const three = list(
  item('a', { createdAt: minutesAgo(305) }),
  item('b', held('wang')),
  item('c', { ...held('lin'), proposedBy: 'wang', proposedAt: minutesAgo(2) }),
)
const accounts = (queue = 'Deposits'): string[] => rows(queue).map((row) => row.split(' | ')[1] ?? '')

describe('the list of a queue', () => {
  it('shows age, account, amount, who proposed and who works on it', async () => {
    await openOffice('/deposits', { 'queues.show': three })
    expect(rows('Deposits')).toEqual([
      '5 h 05 min | account-a | 1,200.00 | None | D-261124-a',
      '5 min | account-b | 1,200.00 | None | D-261124-b | wang',
      '5 min | account-c | 1,200.00 | None | wang 2 min | D-261124-c | Me',
    ])
    expect(text('header')).toContain('3 items')
  })

  it.each([
    ['Show', 'Unclaimed', { show: 'free' }],
    ['Show', 'Mine', { show: 'mine' }],
    ['Show', 'Needs a second approval', { show: 'second' }],
    ['Proof of payment', 'None', { picture: 'without' }],
    ['Method', 'Bank (CNY)', { method: 'bank-cny' }],
    ['Order', 'Largest first', { order: 'largest' }],
    ['Waiting', 'Over 4 hours', { waited: '240' }],
  ])('asks the venue for a part of it: %s %s', async (label, chosen, query) => {
    const bank = { id: 'bank-cny', kind: 'bank' as const, currency: 'CNY', min: '10.00', max: '9000.00' }
    const desk = await openOffice('/deposits', {
      'queues.show': { ...list(item('a')), total: 1 },
      'limits.show': { ...wideLimits, deposits: [bank] },
    })
    desk.answers['queues.show'] = { ...list(), total: 0 }
    await enter(label, chosen)
    expect(desk.sent('queues.show').at(-1)?.query).toEqual({ limit: '50', ...query })
    expect(text('main')).toContain(
      label === 'Order' ? 'Nothing waiting.' : 'Nothing waiting matches these filters.',
    )
  })

  it('says how many there are if not all are in the list', async () => {
    await openOffice('/deposits', {
      'queues.show': { items: [item('a'), item('b')], nextCursor: 'after-b', total: 1000 },
    })
    expect(text('header')).toContain('2 of 1000 items')
  })

  it('marks what has just arrived, and shows method and proof of a deposit', async () => {
    const bank = { id: 'bank-cny', kind: 'bank' as const, currency: 'CNY', min: '10.00', max: '9000.00' }
    await openOffice('/deposits', {
      'queues.show': list(item('a', { createdAt: minutesAgo(1), method: 'bank-cny', hasPicture: true })),
      'limits.show': { ...wideLimits, deposits: [bank] },
    })
    expect(rows('Deposits')).toEqual(['New | account-a | 1,200.00 | Bank (CNY) | D-261124-a'])
    expect(document.querySelector('[role=grid] [aria-label="Attached"]')).not.toBeNull()
  })

  it('leaves out beside an open request what its head says, so that who works on a row stays in sight', async () => {
    await openOffice('/deposits/b', { 'queues.show': three, 'deposits.show': refused(404, 'NOT_FOUND') })
    expect(rows('Deposits').at(-1)).toBe('5 min | account-c | 1,200.00 | None | Me')
  })

  it('has no empty column for the numbers that verifications have not', async () => {
    const answers = { 'queues.show': list(item('v', { no: null, amount: null, country: 'DE' })) }
    await openOffice('/verifications', answers, { role: 'compliance' })
    expect(text('thead')).toBe('AgeUsernameCountry or regionClaim')
  })

  it('shows the country of a verification', async () => {
    const asked = item('v', { no: null, amount: null, country: 'DE' })
    await openOffice('/verifications', { 'queues.show': list(asked) }, { role: 'compliance' })
    expect(rows('Verifications')).toEqual(['5 min | account-v | Germany'])
  })

  it('shows the newest words of a conversation and how many are unread', async () => {
    const words = item('s', {
      no: null,
      amount: null,
      unread: 3,
      preview: 'Where is my money?',
      hasPicture: true,
    })
    const desk = await openOffice('/service', { 'queues.show': list(words) }, { role: 'support' })
    expect(rows('Customer service')).toEqual(['5 min | account-s | 3 unreadWhere is my money?'])
    await enter('Language', 'Deutsch')
    expect(desk.sent('queues.show').at(-1)?.query).toMatchObject({ language: 'de' })
  })

  it('loads more from where it ends', async () => {
    const desk = await openOffice('/deposits', {
      'queues.show': ({ query }) =>
        query.cursor === undefined ? { items: [item('a')], nextCursor: 'after-a' } : list(item('b')),
    })
    await click('Load more')
    expect(accounts()).toEqual(['account-a', 'account-b'])
    expect(desk.sent('queues.show').map(({ query }) => query['cursor'])).toEqual([undefined, 'after-a'])
    expect(buttons()).not.toContain('Load more')
  })

  it('is asked again less often the more of it is shown, because all of it is asked for', async () => {
    const desk = await openOffice('/deposits', {
      'queues.show': ({ query }) =>
        query.cursor === undefined ? { items: [item('a')], nextCursor: 'after-a' } : list(item('b')),
    })
    await click('Load more')
    const before = desk.sent('queues.show').length
    await settle(6000)
    expect(desk.sent('queues.show')).toHaveLength(before)
    await settle(6000)
    expect(desk.sent('queues.show')).toHaveLength(before + 2)
  })

  it.each([
    ['nothing waits', list(), 'Nothing waiting.', []],
    [
      'the venue fails',
      refused(500, 'INTERNAL'),
      '',
      ['Something went wrong on our side. Try again in a moment.'],
    ],
    ['the network is lost', lost, '', ['You’re offline. Check your connection and try again.']],
    ['the role may not see it', refused(403, 'FORBIDDEN'), '', ['Your role doesn’t allow this.']],
  ])('says so if %s', async (_, answer, empty, said) => {
    await openOffice('/deposits', { 'queues.show': answer })
    // Two more tries, after one second and two.
    await settle(3000)
    expect(text('main')).toContain(empty)
    expect(text('main').includes('Nothing waiting.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })

  it('shows again what it can once the venue is back', async () => {
    const desk = await openOffice('/deposits', { 'queues.show': lost })
    await settle(3000)
    desk.answers['queues.show'] = list(item('a'))
    await settle(5000)
    expect(accounts()).toEqual(['account-a'])
    expect(alerts()).toEqual([])
  })

  it('is asked again every five seconds', async () => {
    const desk = await openOffice('/deposits', { 'queues.show': list(item('a')) })
    desk.answers['queues.show'] = list(item('b'))
    await settle(5000)
    expect(accounts()).toEqual(['account-b'])
  })
})

describe('the next request of some', () => {
  it('is of those and in the order that the screen lists, own ones first', async () => {
    const answers = { 'queues.show': list(item('a')), 'queues.next': { item: item('b', held('lin')) } }
    const desk = await openOffice('/deposits', { ...answers, 'deposits.show': { ...deposit, id: 'b' } })
    await enter('Proof of payment', 'None')
    await enter('Order', 'Largest first')
    // Claimed by the person, but not among those.
    desk.answers['queues.show'] = ({ query }) =>
      query.picture === undefined ? list(item('c', held('lin')), item('a')) : list(item('a'))
    await click('Next')
    expect(desk.sent('queues.next').map(({ query }) => query)).toEqual([
      { picture: 'without', order: 'largest' },
    ])
    expect(address()).toBe('/deposits/b')
  })
})

describe('the next request', () => {
  const taking = {
    'queues.show': list(item('a'), item('b', held('wang'))),
    'queues.next': { item: item('a', held('lin')) },
  }
  const none = { 'deposits.show': refused(404, 'NOT_FOUND') }

  it.each([
    ['its button', () => click('Next')],
    ['its key', () => press('n')],
  ])('is claimed and opened by %s', async (_, take) => {
    const desk = await openOffice('/deposits', { ...taking, ...none })
    await take()
    expect(desk.acts()).toEqual([['queues.next', 'deposits']])
    expect(address()).toBe('/deposits/a')
  })

  it('says that nothing is left, and closes the request that was open', async () => {
    await openOffice('/deposits/a', { ...three, ...none })
    await press('n')
    expect(address()).toBe('/deposits')
    expect(toasts()).toEqual(['Nothing else for you.'])
  })

  it.each([
    [
      'too many are held',
      refused(409, 'CLAIMS_LIMIT', { params: { max: 3 } }),
      'You’ve already claimed 3 requests. Decide or release one first.',
    ],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('says why not if %s, and can be tried again', async (_, answer, said) => {
    const desk = await openOffice('/deposits', { ...taking, ...none, 'queues.next': answer })
    await press('n')
    expect(alerts()).toEqual([said])
    expect(address()).toBe('/deposits')
    desk.answers['queues.next'] = taking['queues.next']
    await press('n')
    expect(address()).toBe('/deposits/a')
  })
})

it('the next request takes the focus from the side bar, so that Enter leaves no queue', async () => {
  const answers = {
    'queues.show': three,
    'queues.next': { item: item('a', held('lin')) },
    'queues.claim': { claim: held('lin').claim },
    'deposits.show': refused(404, 'NOT_FOUND'),
  }
  await openOffice('/deposits', answers, { isWhole: true })
  document.querySelector<HTMLElement>('nav a[href="#/payments"]')?.focus()
  await press('n')
  expect(document.activeElement?.tagName).toBe('H2')
  expect(address()).toBe('/deposits/c')
})

describe('what one has claimed', () => {
  const deposits = { 'deposits.show': refused(404, 'NOT_FOUND') }
  const mine = list(item('c', held('lin')), item('d', held('lin')), item('a'))
  const answers = {
    ...deposits,
    'queues.show': mine,
    'queues.claim': { claim: held('lin').claim },
    'queues.release': { released: true },
    'queues.next': { item: item('a', held('lin')) },
  }

  it('is opened first, each once, and then what nobody has', async () => {
    const desk = await openOffice('/deposits', answers)
    await press('n')
    expect(address()).toBe('/deposits/c')
    expect(desk.acts()).toEqual([['queues.claim', 'deposits', { item: 'c' }]])
    await press('n')
    expect(address()).toBe('/deposits/d')
    await press('n')
    expect(address()).toBe('/deposits/a')
    expect(desk.acts().at(-1)).toEqual(['queues.next', 'deposits'])
  })

  it('comes back after another one is decided, also if the filters leave it out', async () => {
    const own = item('c', held('lin'))
    const desk = await openOffice('/withdrawals/w1', {
      ...answers,
      'queues.show': ({ query }) => (query.show === 'mine' ? list(own) : list(item('w1', held('lin')))),
      'queues.next': { item: null },
      'withdrawals.show': ({ params }) => ({ ...withdrawal, id: params.id }),
      'withdrawals.approve': { ...approvedWithdrawal, proposal: null },
    })
    await press('a', 'Enter')
    expect(address()).toBe('/withdrawals/c')
    expect(toasts().join()).not.toContain('Nothing else')
    expect(desk.acts().at(-1)).toEqual(['queues.claim', 'withdrawals', { item: 'c' }])
  })

  it('stays open if nothing else waits, which is said', async () => {
    const only = { ...answers, 'queues.show': list(item('c', held('lin'))), 'queues.next': { item: null } }
    await openOffice('/deposits/c', only)
    await press('n')
    expect(address()).toBe('/deposits/c')
    expect(toasts()).toEqual(['Nothing else for you. This one still waits.'])
  })

  it('is given back in payments too, after the same withdrawal was approved', async () => {
    const own = list({ ...item('w1'), ...held('lin') })
    const desk = await openOffice('/withdrawals/w1', {
      ...answers,
      'queues.show': own,
      'queues.next': { item: null },
      'withdrawals.show': withdrawal,
      'withdrawals.approve': approvedWithdrawal,
    })
    await press('a', 'Enter')
    desk.answers['withdrawals.show'] = approvedWithdrawal
    await goTo('/payments')
    await press('n')
    expect(address()).toBe('/payments/w1')
    expect(desk.acts().at(-1)).toEqual(['queues.claim', 'payments', { item: 'w1' }])
  })

  it.each([
    ['Escape', () => press('Escape')],
    ['the cross', () => click('Close the request')],
  ])('is given up by %s', async (_, leave) => {
    const desk = await openOffice('/deposits/c', answers)
    await leave()
    expect(address()).toBe('/deposits')
    expect(desk.acts()).toEqual([['queues.release', 'deposits', { item: 'c' }]])
  })

  it.each([
    ['another queue', '/withdrawals'],
    ['its own queue', '/deposits'],
    ['a list', '/members'],
  ])('is given up when one opens %s without a decision', async (_, path) => {
    const desk = await openOffice('/deposits/c', {
      ...answers,
      'members.list': { items: [], nextCursor: null },
    })
    await goTo(path)
    expect(desk.sent('queues.release').map(({ params, body }) => [params, body])).toEqual([
      [{ id: 'deposits' }, { item: 'c' }],
    ])
    expect(toasts()).toEqual(['Released. D-261124-c Undo'])
  })

  it.each([
    ['a member’s record', '/members/m1', { 'members.show': refused(404, 'NOT_FOUND') }],
    ['the account', '/account', { 'session.factors': refused(404, 'NOT_FOUND') }],
    ['another request', '/withdrawals/w1', { 'withdrawals.show': withdrawal }],
  ])('is kept while one looks at %s, and given up at a list after it', async (_, path, more) => {
    const desk = await openOffice('/deposits/c', { ...answers, ...more })
    await goTo(path)
    expect(desk.sent('queues.release')).toEqual([])
    await goTo('/payments')
    expect(desk.sent('queues.release')).toHaveLength(1)
  })

  it('is not given up by a queue that one opens after the decision', async () => {
    const desk = await openOffice('/deposits/c', {
      ...answers,
      'deposits.show': { ...deposit, id: 'c' },
      'deposits.approve': { ...deposit, id: 'c', status: 'successful', proposal: null },
      'queues.show': list(item('c', held('lin'))),
      'queues.next': { item: null },
    })
    await press('a', 'Enter')
    await goTo('/withdrawals')
    expect(desk.sent('queues.release')).toEqual([])
  })

  it('that Next opened is given up too', async () => {
    const desk = await openOffice('/deposits', { ...answers, 'queues.show': list(item('a')) })
    desk.answers['queues.show'] = list(item('a', held('lin')))
    await press('n')
    expect(address()).toBe('/deposits/a')
    await goTo('/withdrawals')
    expect(desk.sent('queues.release').map(({ body }) => body)).toEqual([{ item: 'a' }])
  })

  it('is not given up if another one holds it', async () => {
    const desk = await openOffice('/deposits/b', { ...answers, 'queues.show': three })
    await press('Escape')
    expect(desk.acts()).toEqual([])
  })
})

describe('setting a request aside', () => {
  const claimed = list(item('a', held('lin')), item('b'))
  const answers = {
    'queues.show': claimed,
    'queues.release': { released: true },
    'queues.claim': { claim: held('lin').claim },
    'queues.next': { item: item('b', held('lin')) },
    'deposits.show': refused(404, 'NOT_FOUND'),
  }

  it.each([
    ['its key', () => press('s')],
    ['its button', () => click('Set aside')],
  ])('opens the next one and gives it up, by %s', async (_, setAside) => {
    const desk = await openOffice('/deposits/a', answers)
    await setAside()
    expect(address()).toBe('/deposits/b')
    expect(desk.sent('queues.next').map(({ query }) => query)).toEqual([{ except: 'a' }])
    expect(desk.sent('queues.release').map(({ body }) => body)).toEqual([{ item: 'a' }])
    expect(toasts()).toEqual(['Set aside for later. D-261124-a Undo'])
    expect(desk.acts().map(([call]) => call)).not.toContain('deposits.reject')
  })

  it('keeps it from coming next until nothing else is left, also from another screen', async () => {
    const desk = await openOffice('/deposits/a', { ...answers })
    await press('s')
    await goTo('/withdrawals')
    await goTo('/deposits')
    desk.answers['queues.show'] = ({ query }) => (query.show === 'mine' ? list() : list(item('a')))
    await settle(5000)
    expect(rows('Deposits').join()).toContain('Set aside')
    desk.answers['queues.next'] = ({ query }) => ({
      item: query.except === undefined ? item('a', held('lin')) : null,
    })
    await press('n')
    expect(desk.sent('queues.next').map(({ query }) => query)).toEqual([{ except: 'a' }, { except: 'a' }, {}])
    expect(toasts()).toContain('Nothing else for you. This is one that you set aside.')
    expect(address()).toBe('/deposits/a')
    await settle(5000)
    expect(rows('Deposits').join()).not.toContain('Set aside')
  })

  it('leaves the only one in its queue, for the next N', async () => {
    const desk = await openOffice('/deposits/a', {
      ...answers,
      'queues.show': ({ query }) => (query.show === 'mine' ? list() : list(item('a', held('lin')))),
      'queues.next': { item: null },
    })
    await press('s')
    expect(address()).toBe('/deposits')
    expect(toasts()).toContain('Nothing else for you. Next opens what you set aside.')
    expect(desk.sent('queues.next').map(({ query }) => query)).toEqual([{ except: 'a' }])
  })

  it('is taken back by Undo', async () => {
    const desk = await openOffice('/deposits/a', answers)
    await press('s')
    await click('Undo')
    expect(address()).toBe('/deposits/a')
    expect(desk.sent('queues.claim').map(({ body }) => body)).toEqual([{ item: 'a' }])
  })

  it('releases nothing that a colleague holds or nobody does', async () => {
    const desk = await openOffice('/deposits/b', { ...answers, 'queues.show': three })
    await press('s')
    expect(desk.acts()).toEqual([['queues.claim', 'deposits', { item: 'c' }]])
    expect(address()).toBe('/deposits/c')
  })

  it('is not offered for what does not wait', async () => {
    await openOffice('/deposits/x', answers)
    expect(buttons()).not.toContain('Set aside')
  })
})

describe('what one has decided today', () => {
  const decided = {
    items: [
      {
        subject: { kind: 'deposit', id: 'z' },
        act: 'approve' as const,
        at: minutesAgo(3),
        no: 'D-261124-z',
        account: 'account-z',
        amount: '90.00',
      },
    ],
    nextCursor: null,
    total: 12,
  }

  it('is one click away, with its count, and opens beside the list', async () => {
    await openOffice('/deposits', {
      'queues.show': three,
      'queues.decided': decided,
      'deposits.show': refused(404, 'NOT_FOUND'),
    })
    await click('Decided by me today: 12')
    expect(rows('Decided by me today')).toEqual(['11:57:00 | Approved | account-z | 90.00 | D-261124-z'])
    await openRow('Decided by me today')
    expect(address()).toBe('/deposits/z')
    await click('Decided by me today: 12')
    expect(accounts()).toHaveLength(3)
  })

  it('leads from an approval to the request that was approved', async () => {
    await openOffice('/proposals', { 'queues.decided': decided, 'deposits.show': refused(404, 'NOT_FOUND') })
    await click('Decided by me today: 12')
    await openRow('Decided by me today')
    expect(address()).toBe('/deposits/z')
  })

  it('is counted again after each decision', async () => {
    const desk = await openOffice('/deposits/d1', {
      'queues.show': list(item('d1')),
      'deposits.show': deposit,
      'deposits.approve': { ...deposit, status: 'successful' },
    })
    expect(buttons()).toContain('Decided by me today: 0')
    desk.answers['queues.decided'] = decided
    await press('a', 'Enter')
    expect(buttons()).toContain('Decided by me today: 12')
  })
})

describe('what a colleague has claimed', () => {
  it('cannot be decided, and the one that is open closes at once', async () => {
    const desk = await openOffice('/deposits/d1', {
      'queues.show': list(item('d1')),
      'deposits.show': deposit,
    })
    await press('a')
    desk.answers['queues.show'] = list(item('d1', held('wang')))
    await settle(5000)
    expect(text('[role=dialog]')).toContain('wang is working on this.')
    await press('Enter', 'Escape')
    await press('r')
    expect(text('[role=status]')).toContain('wang is working on this.')
    expect(desk.acts()).toEqual([])
  })
})

describe('order and filter', () => {
  it('ask the venue, which knows more than the rows on screen', async () => {
    const desk = await openOffice('/deposits', { 'queues.show': three })
    const last = () => desk.sent('queues.show').findLast(({ query }) => Object.keys(query).length > 1)?.query
    await enter('Order', 'Largest first')
    await enter('Amount from', '1,000.00')
    await enter('Waiting', 'Over 4 hours')
    expect(last()).toMatchObject({ order: 'largest', from: '1000.00', waited: '240' })
    await enter('Order', 'Members in turn')
    await enter('Amount from', '')
    expect(last()).toMatchObject({ waited: '240' })
    expect(last()).not.toHaveProperty('from')
  })

  it('are those of one queue: another one, which may not have them, shows all that waits', async () => {
    const desk = await openOffice('/deposits', { 'queues.show': three })
    await enter('Proof of payment', 'None')
    await goTo('/withdrawals')
    const last = desk.sent('queues.show').at(-1)
    expect([last?.params['id'], last?.query]).toEqual(['withdrawals', { limit: '50' }])
  })

  it('say beside the field what is wrong with an amount, and ask for all meanwhile', async () => {
    const desk = await openOffice('/deposits', { 'queues.show': three })
    await enter('Amount from', '12x')
    expect(text('header [role=status]')).toBe('Enter an amount, such as 1,000.00.')
    expect(field('Amount from').getAttribute('aria-invalid')).toBe('true')
    expect(desk.sent('queues.show').at(-1)?.query).not.toHaveProperty('from')
    await enter('Amount from', '12')
    expect(text('header')).not.toContain('Enter an amount')
    expect(field('Amount from').hasAttribute('aria-invalid')).toBe(false)
  })

  it('are cleared by one button, which keeps the order', async () => {
    await openOffice('/deposits', { 'queues.show': three })
    expect(buttons()).not.toContain('Clear filters')
    await enter('Order', 'Largest first')
    await enter('Show', 'Mine')
    await enter('Amount from', '12x')
    await click('Clear filters')
    expect([field('Show').value, field('Amount from').value, field('Order').value]).toEqual([
      'all',
      '',
      'largest',
    ])
    expect(buttons()).not.toContain('Clear filters')
  })

  it('are reached by F; Escape leads back to the list as it is filtered, and once more clears them', async () => {
    await openOffice('/deposits', { 'queues.show': three })
    await press('f')
    expect(document.activeElement).toBe(field('Show'))
    await enter('Order', 'Largest first')
    await enter('Show', 'Mine')
    await enter('Amount from', '500')
    await press('n')
    expect(document.activeElement).toBe(field('Amount from'))
    await press('Escape')
    expect(document.activeElement?.closest('tr')?.getAttribute('aria-selected')).toBe('false')
    expect([field('Show').value, field('Amount from').value]).toEqual(['mine', '500'])
    await press('Escape')
    expect([field('Show').value, field('Amount from').value]).toEqual(['all', ''])
    expect(field('Order').value).toBe('largest')
  })

  it('give the keys back where the list is empty', async () => {
    await openOffice('/deposits', { 'queues.show': list() })
    await press('f', 'Escape')
    expect(document.activeElement).toBe(document.body)
  })

  it('stay when Escape closes the open request', async () => {
    await openOffice('/deposits/b', { 'queues.show': three, 'deposits.show': refused(404, 'NOT_FOUND') })
    await enter('Show', 'Mine')
    await press('Escape', 'Escape')
    expect([address(), field('Show').value]).toEqual(['/deposits', 'mine'])
  })

  it('has no amounts in a queue without', async () => {
    await openOffice('/verifications', { 'queues.show': list() }, { role: 'compliance' })
    expect(text('header')).not.toContain('Amount from')
    expect(text('header')).not.toContain('Largest first')
  })
})

describe('the keyboard', () => {
  const open = () =>
    openOffice(
      '/deposits',
      { 'queues.show': three, 'deposits.show': refused(404, 'NOT_FOUND') },
      { isWhole: true },
    )

  it('goes through the rows with j and k, opens with Enter and closes with Escape', async () => {
    const desk = await open()
    await press('j', 'j', 'j', 'k')
    expect(desk.sent('deposits.show')).toEqual([])
    await press('Enter')
    expect(address()).toBe('/deposits/b')
    await press('Escape')
    expect(address()).toBe('/deposits')
  })
})

describe('a claim', () => {
  const opened = { 'deposits.show': refused(404, 'NOT_FOUND'), 'queues.show': three }
  const claim = { by: 'lin', until: now + 600_000 }

  it.each([
    ['a', 'Claim', 'c', 'queues.claim'],
    ['c', 'Release', 'l', 'queues.release'],
  ])('of %s: %s, by its button or %s', async (id, name, key, call) => {
    const answers = { ...opened, 'queues.claim': { claim }, 'queues.release': { released: true } }
    const desk = await openOffice(`/deposits/${id}`, answers)
    await click(name)
    await press(key)
    expect(desk.acts()).toEqual([1, 2].map(() => [call, 'deposits', { item: id }]))
  })

  it.each([
    [
      'a colleague was faster',
      refused(409, 'CLAIMED', { params: { by: 'wang', until: now } }),
      'wang is working on this.',
    ],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('says why not if %s', async (_, answer, said) => {
    await openOffice('/deposits/a', { ...opened, 'queues.claim': answer })
    await click('Claim')
    expect(alerts()).toContain(said)
  })

  it('is not offered while a colleague has one', async () => {
    const desk = await openOffice('/deposits/b', opened)
    expect(buttons()).not.toContain('Claim')
    await press('c')
    expect(desk.acts()).toEqual([])
  })

  it('is not offered for what one has proposed oneself', async () => {
    const own = list(item('a', { proposedBy: 'lin', proposedAt: minutesAgo(1) }))
    await openOffice('/deposits/a', { ...opened, 'queues.show': own })
    expect(buttons()).not.toContain('Claim')
  })
})
