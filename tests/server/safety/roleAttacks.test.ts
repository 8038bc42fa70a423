import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import { roleNamesOf, type RoleNames } from '../../../server/platform/db/roles/roles.ts'
import {
  cancelWithdrawal,
  fundSkew,
  payWithdrawal,
  placeOrder,
  roleAttacks,
  settleByRule,
  type Targets,
} from './roleAttacks.ts'
import type { Session } from '../../scenarios/safety/attackParts.ts'
import {
  approve,
  ask,
  confirm,
  confirmDeposit,
  moveToFund,
  propose,
  setAmount,
  type TwoPersonTargets,
} from '../../scenarios/safety/twoPersonAttacks.ts'
import type { PersonTargets } from '../../scenarios/safety/personAttacks.ts'
import { minor } from '../../../contract/units.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import { leadDatabase } from '../../support/ledDatabase.ts'
import { orderRequest } from '../../support/orders.ts'
import { withPostgres } from '../../support/postgres.ts'
import { createStaff, openAndApprove } from '../../support/staffClient.ts'
import { transactionPassword } from '../../support/testMembers.ts'
import { openTickingVenue, type TickingVenue } from '../../support/tickingVenue.ts'

/** On PostgreSQL, over a login that owns nothing: what an embedded database would refuse for another reason shows here. */
const postgres = await withPostgres('role_attacks')

postgres.describe('a session of a run role', () => {
  let venue: TickingVenue
  let names: RoleNames
  let login: string
  let targets: Targets

  beforeAll(async () => {
    const database = postgres.database()
    const fence = await leadDatabase(database)
    // The database's own clock counts too.
    venue = await openTickingVenue(database, { fence, asRoles: true, start: Date.now() })
    targets = await prepare(venue)
    const name = new URL(postgres.url()).pathname.slice(1)
    names = roleNamesOf(name)
    login = `${name}_login`
    await database.owner.query(`CREATE ROLE ${login} LOGIN; GRANT ${Object.values(names).join()} TO ${login}`)
  })
  afterAll(async () => {
    await venue.close()
    await postgres.database().owner.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`)
  })

  const connect = async (role: Session): Promise<Client> => {
    const client = new Client({
      connectionString: Object.assign(new URL(postgres.url()), { username: login }).href,
    })
    await client.connect()
    await client.query(`SET ROLE ${names[role]}`)
    return client
  }

  /** Refused for missing rights, by a guard (class 23, UT) or because a view takes no rows; no changed row proves nothing. */
  async function outcome(client: Client, role: Session, statements: readonly string[]): Promise<string> {
    try {
      await client.query(`BEGIN; SET LOCAL ROLE ${names[role]}`)
      let rows = 0
      for (const statement of statements) rows += (await client.query(statement)).rowCount ?? 0
      await client.query('SET CONSTRAINTS ALL IMMEDIATE')
      return `accepted, ${rows} rows`
    } catch (error) {
      const code = String(Reflect.get(error as object, 'code'))
      return /^(42501|23|UT|55000)/.test(code) ? 'refused' : `${code}: ${String(error)}`
    } finally {
      await client.query('ROLLBACK')
      await client.query(`SET ROLE ${names[role]}`)
    }
  }

  it('writes nothing that is not its own', async () => {
    const found: string[] = []
    const clients = new Map<Session, Client>()
    for (const role of ['calls', 'engine', 'office', 'run'] as const) clients.set(role, await connect(role))
    let tried = 0
    for (const { act, statements, roles } of roleAttacks(targets, login)) {
      for (const role of roles) {
        const client = clients.get(role)
        if (!client) throw new Error('no session')
        const end = await outcome(client, role, statements)
        tried += 1
        if (end !== 'refused') found.push(`${role} could ${act}: ${end}: ${statements.at(-1)?.slice(0, 90)}`)
      }
    }
    for (const client of clients.values()) await client.end()
    expect(found).toEqual([])
    expect(tried).toBeGreaterThan(300)
  })

  it('places an order with the terms of its product', async () => {
    const client = await connect('calls')
    expect(await outcome(client, 'calls', [placeOrder(targets, 'own')])).toBe('accepted, 1 rows')
    await client.end()
  })

  it('decides by two persons what takes two', async () => {
    const client = await connect('office')
    const { proposed, limit } = targets
    const decide = [...confirm(proposed.proposal, 'ben'), ...approve(proposed.id, 'ben')]
    expect(await outcome(client, 'office', decide)).toBe('accepted, 4 rows')
    const { proposal, awaiting } = targets.deposits
    const both = [...confirm(proposal, 'ben'), ...confirmDeposit(awaiting, 'ben')]
    expect(await outcome(client, 'office', both)).toBe('accepted, 4 rows')
    expect(await outcome(client, 'office', [...confirm(limit, 'abe'), ...setAmount('10.00', 'abe')])).toBe(
      'accepted, 4 rows',
    )
    await client.end()
  })

  it('withdraws all but what waits for a second person', async () => {
    const client = await connect('calls')
    expect(await outcome(client, 'calls', ask(targets.payee, 280_000))).toBe('accepted, 3 rows')
    expect(await outcome(client, 'calls', moveToFund(targets.payee, 280_000))).toBe('accepted, 3 rows')
    await client.end()
  })

  it('approves alone up to the sum of one person', async () => {
    const client = await connect('office')
    expect(await outcome(client, 'office', approve(targets.pieces[0], 'ben'))).toBe('accepted, 2 rows')
    await client.end()
  })

  /** Two sessions do their statements up to the commit, then both commit. @returns how each ended */
  async function atOnce(
    isolation: string,
    sides: readonly (readonly [Session, readonly string[]])[],
  ): Promise<string[]> {
    const clients = await Promise.all(sides.map(([role]) => connect(role)))
    const ends = await Promise.all(
      sides.map(async ([, statements], i) => {
        const client = clients[i]
        try {
          await client?.query(`BEGIN ISOLATION LEVEL ${isolation}`)
          for (const statement of statements) await client?.query(statement)
          await client?.query('COMMIT')
          return 'done'
        } catch (error) {
          const code = String(Reflect.get(error as object, 'code'))
          return /^(23|40|UT)/.test(code) ? 'refused' : `${code}: ${String(error)}`
        }
      }),
    )
    for (const client of clients) await client.end()
    return ends.toSorted()
  }
  const isolations = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'] as const
  const newWithdrawal = async (amount = '10.00', member = targets.member): Promise<string> => {
    const client = await venue.openSession(member)
    const placed = await client.post<{ id: string }>('/withdrawals', { amount, transactionPassword })
    return placed.body.id
  }

  it.each(isolations)('pays a cause once, if two do it at the same moment: %s', async (isolation) => {
    const { member } = targets
    const id = await newWithdrawal()
    const pay = payWithdrawal(id, member)
    expect(
      await atOnce(isolation, [
        ['office', pay],
        ['office', pay],
      ]),
    ).toEqual(['done', 'refused'])
    const other = await newWithdrawal()
    const ends = await atOnce(isolation, [
      ['office', payWithdrawal(other, member)],
      ['calls', cancelWithdrawal(other, member)],
    ])
    expect(ends).toEqual(['done', 'refused'])
  })

  it.each(isolations)('does not write in two transactions what one may not: %s', async (isolation) => {
    const [share, posting] = fundSkew(targets.other)
    expect(
      await atOnce(isolation, [
        ['calls', [share]],
        ['calls', [posting]],
      ]),
    ).toEqual(['refused', 'refused'])
  })

  it.each(isolations.slice(1))('places no order in the past of an old snapshot: %s', async (isolation) => {
    const client = await connect('calls')
    await client.query(`BEGIN ISOLATION LEVEL ${isolation}`)
    const { rows } = await client.query<{ at: number }>('SELECT max(at) AS at FROM tick_batch')
    await venue.clock.advance(2_000)
    const order = placeOrder(targets, 'late', { accepted_at: `(${String(rows[0]?.at)})::bigint` })
    await expect(client.query(order)).rejects.toMatchObject({ code: 'UT002' })
    await client.end()
  })

  it.each(isolations)('approves no more at once than one person may: %s', async (isolation) => {
    const [one, two] = [
      await newWithdrawal('600.00', targets.other),
      await newWithdrawal('600.00', targets.other),
    ]
    const by = (await createStaff(venue, 'finance')).staff.name
    expect(
      await atOnce(isolation, [
        ['office', approve(one, by)],
        ['office', approve(two, by)],
      ]),
    ).toEqual(['done', 'refused'])
  })

  it('settles an order once, if two do it at the same moment', async () => {
    const settle = [settleByRule(targets.dueOrder)]
    expect(
      await atOnce('READ COMMITTED', [
        ['engine', settle],
        ['engine', settle],
      ]),
    ).toEqual(['done', 'refused'])
    const { rowCount } = await postgres
      .database()
      .owner.query(`SELECT FROM posting WHERE ref_id = $1 AND type <> 'stake'`, [targets.dueOrder])
    expect(rowCount).toBe(1)
  })
})

async function prepare(venue: TickingVenue): Promise<Targets> {
  const [member, other] = [await venue.createVerifiedMember(), await venue.createVerifiedMember()]
  const place = async (): Promise<string> => {
    const placed = await member.post<Order>('/orders', {
      ...orderRequest(venue, { productId: 'BTCUSDT', seconds: 60 }),
    })
    if (placed.status !== 201) throw new Error(placed.text)
    return placed.body.id
  }
  const settledOrder = await place()
  await venue.clock.advance(50_000)
  const dueOrder = await place()
  await venue.clock.advance(50_000)
  const openOrder = await place()
  await venue.clock.advance(5_000)
  await venue.trading.idle()
  await venue.trading.stop()
  await venue.clock.advance(7_000)
  const withdrawal = await member.post<{ id: string }>('/withdrawals', {
    amount: '10.00',
    transactionPassword,
  })
  if (withdrawal.status !== 201) throw new Error(withdrawal.text)
  const deposit = await other.post('/fund/deposits', { amount: '100.00' })
  if (deposit.status !== 201) throw new Error(deposit.text)
  const { owner } = venue.database
  await owner.query('UPDATE fund_account SET confirmed = pending, pending = 0')
  await owner.query(`INSERT INTO deposit (id, no, member_id, method_id, amount, status, created_at, created_on)
    VALUES ('waits', 'waits', '${member.id}', 'bank-1', 100, 'under_review', 1, '')`)
  await createStaff(venue, 'support')
  return {
    ...(await prepareTwoPersons(venue)),
    member: member.id,
    other: other.id,
    openOrder,
    dueOrder,
    settledOrder,
    withdrawal: withdrawal.body.id,
  }
}

async function prepareTwoPersons(
  venue: TickingVenue,
): Promise<TwoPersonTargets & Pick<PersonTargets, 'orphaned'>> {
  const ann = await createStaff(venue, 'finance', 'ann')
  await createStaff(venue, 'finance', 'ben')
  const ada = await createStaff(venue, 'admin', 'ada')
  await createStaff(venue, 'admin', 'abe')
  const payee = await venue.createVerifiedMember(minor(1_000_000))
  const withdraw = async (amount = '1500.00'): Promise<string> =>
    (await payee.post<{ id: string }>('/withdrawals', { amount, transactionPassword })).body.id
  const deposit = async (amount: string): Promise<string> =>
    (await payee.post<{ id: string }>('/deposits', { methodId: 'practice-review', amount })).body.id
  const [large, proposed, lowered] = [await withdraw(), await withdraw(), await withdraw()]
  const orphaned = await withdraw()
  const pieces = [await withdraw('600.00'), await withdraw('600.00')] as const
  const [unproven, awaiting] = [await deposit('10.00'), await deposit('20.00')]
  type Proposed = { proposal: Proposal }
  const { proposal } = (await openAndApprove<Proposed>(ann, `/withdrawals/${proposed}`)).body
  const credited = (await openAndApprove<Proposed>(ann, `/deposits/${awaiting}`)).body
  const deposits = { unproven, awaiting, proposal: credited.proposal.id }
  const limit = (await ada.post<Proposed>('/limits/withdrawals', { twoPersonsAbove: '10.00' })).body.proposal
  const statements = propose('lowered', 'ann', ['withdrawals.approve', 'withdrawal', lowered], {
    amount: '1.00',
  })
  await venue.database.owner.query(['BEGIN', ...statements, 'COMMIT'].join(';'))
  // As it is if the proposal commits while an admin disables its proposer.
  await createStaff(venue, 'finance', 'fay')
  const byFay = propose('orphaned', 'fay', ['withdrawals.approve', 'withdrawal', orphaned], {
    amount: '1500.00',
  })
  await venue.database.owner.query(['BEGIN', ...byFay, 'COMMIT'].join(';'))
  await venue.database.owner.query(`UPDATE staff SET status = 'disabled' WHERE name = 'fay'`)
  return {
    payee: payee.id,
    large,
    proposed: { id: proposed, proposal: proposal.id },
    lowered: { id: lowered, proposal: 'lowered' },
    pieces,
    deposits,
    limit: limit.id,
    orphaned: { id: orphaned, proposal: 'orphaned' },
  }
}
