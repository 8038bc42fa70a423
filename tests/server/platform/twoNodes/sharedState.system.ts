import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { SelfLimits } from '../../../../contract/selfLimits.ts'
import { dayMs, hourMs } from '../../../../contract/time.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { orderRequest, tickOnce } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { openTwoNodes } from '../../../support/twoNodes.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('two_nodes_state')

postgres.describe('state of two nodes on one database', () => {
  let a: TestVenue
  let b: TestVenue
  let close: () => Promise<void>
  beforeEach(async () => {
    ;({ a, b, close } = await openTwoNodes(postgres.database()))
    await a.clock.advance(1)
    tickOnce(a)
  })
  afterEach(async () => {
    await close()
    expect([...a.reportedErrors, ...b.reportedErrors]).toEqual([])
  })

  const limits = { maxStake: null, maxDailyLoss: null, maxDailyDeposit: null, excludedUntil: null }
  const put = async (member: MemberClient, change: Partial<SelfLimits['active']>): Promise<void> => {
    expect((await member.send('PUT', '/me/limits', { ...limits, ...change })).status).toBe(200)
  }
  const deposit = (member: MemberClient) =>
    member.post('/deposits', { methodId: 'practice', amount: '100.00' })
  const place = (member: MemberClient, amount = '10.00') =>
    member.post('/orders', orderRequest(a, { amount }))

  it('a deposit limit and an exclusion hold at the other node at once, for deposits too', async () => {
    const member = await a.createMember()
    const atB = b.clientOf(member)
    expect((await deposit(atB)).status).toBe(201)
    await put(member, { maxDailyDeposit: '150.00' })
    expect((await deposit(atB)).code).toBe('SELF_LIMIT')
    expect((await atB.get<SelfLimits>('/me/limits')).body.active.maxDailyDeposit).toBe('150.00')
    await put(member, { maxDailyDeposit: '150.00', excludedUntil: epochMs(a.clock.now() + dayMs) })
    expect((await deposit(atB)).code).toBe('EXCLUDED')
    expect((await place(atB)).code).toBe('EXCLUDED')
  })

  it('a stake over a limit set at the other node is refused with that limit', async () => {
    const member = await a.createMember()
    const atB = b.clientOf(member)
    expect((await place(atB, '20.00')).status).toBe(201)
    await put(member, { maxStake: '15.00' })
    const { code, params } = await place(atB, '20.00')
    expect([code, params]).toEqual(['SELF_LIMIT', { field: 'maxStake', max: '15.00' }])
  })

  it('a limit that was loosened at the other node is loose here too', async () => {
    const member = await a.createMember()
    const atB = b.clientOf(member)
    await put(member, { maxStake: '15.00' })
    expect((await place(atB, '20.00')).code).toBe('SELF_LIMIT')
    await put(member, { maxStake: '25.00' })
    await a.clock.jumpBy(dayMs - 60_000)
    expect((await place(atB, '20.00')).code).toBe('SELF_LIMIT')
    await a.clock.jumpBy(60_000)
    tickOnce(a)
    expect((await place(await b.openSession(member.id), '20.00')).status).toBe(201)
  })

  it('maintenance of the site begins and ends at the other node within a second', async () => {
    const member = await a.createMember()
    const atB = b.clientOf(member)
    await a.office('POST', '/site/maintenance', { body: {} })
    await a.clock.advance(1000)
    expect((await place(atB)).code).toBe('PRODUCT_MAINTENANCE')
    await a.office('POST', '/site/open')
    await a.clock.advance(1000)
    tickOnce(a)
    expect((await place(atB)).status).toBe(201)
  })

  it('a node that does not lead follows too, and ends without an error', async () => {
    const follower = await withVenue({
      database: postgres.database(),
      clock: a.clock,
      market: a.market,
      secrets: a.secrets,
      cluster: followerOf,
    })
    await a.office('POST', '/site/maintenance', { body: {} })
    await a.advanceCalendar(dayMs)
    await a.clock.advance(1000)
    expect(follower.venueStatus.state().status).toBe('maintenance')
    expect(follower.business.offsetMs()).toBe(a.business.offsetMs())
    await a.office('POST', '/site/open')
    await follower.close()
    expect(follower.reportedErrors).toEqual([])
  })

  it('the business calendar moves at the other node within a second', async () => {
    const before = b.business.offsetMs()
    await a.advanceCalendar(3 * dayMs)
    await a.clock.advance(1000)
    expect(b.business.today()).toBe(a.business.today())
    expect(b.business.offsetMs()).toBe(before + 3 * dayMs)
  })

  it('a picture that one node received in a shared folder is shown by another one, to its owner and to the back office', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uptick-nodes-'))
    const nodes: TestVenue[] = []
    await mkdir(join(folder, 'shared'))
    for (const name of ['a', 'b']) {
      const dataDir = join(folder, name)
      await mkdir(dataDir)
      await symlink(join(folder, 'shared'), join(dataDir, 'uploads'))
      const { clock, market, secrets } = a
      nodes.push(await openTestVenue(postgres.database(), { clock, market, secrets, dataDir }))
    }
    const [receiver, other] = nodes
    if (!receiver || !other) throw new Error('two nodes are needed')
    const member = await receiver.createMember()
    const id = await receiver.upload(member, 'service')
    expect(await readdir(join(folder, 'shared'))).toEqual([id])
    const cookie = `sid=${member.sid}`
    const [first, second] = await Promise.all(
      nodes.map(({ app }) => app.inject({ url: `/api/uploads/${id}`, headers: { cookie } })),
    )
    expect([first?.statusCode, second?.statusCode]).toEqual([200, 200])
    expect(second?.rawPayload).toEqual(first?.rawPayload)
    expect((await other.uploads.viewForOffice(id, 'mei')).data.length).toBeGreaterThan(0)
    for (const node of nodes) await node.close()
    await rm(folder, { recursive: true })
  })

  it('a node that starts removes no upload that another one is receiving', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-nodes-'))
    const folder = join(dataDir, 'uploads')
    await mkdir(folder)
    const names = [a.random.uuid(), `${a.random.uuid()}.part`].toSorted()
    for (const name of names) await writeFile(join(folder, name), 'x')
    const third = await withVenue({
      database: postgres.database(),
      clock: a.clock,
      market: a.market,
      dataDir,
    })
    expect((await readdir(folder)).toSorted()).toEqual(names)
    await third.close()
    await rm(dataDir, { recursive: true })
  })

  it('only a node that leads removes files that a stop has left', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-nodes-'))
    const folder = join(dataDir, 'uploads')
    await mkdir(folder)
    const left = a.random.uuid()
    await writeFile(join(folder, left), 'x')
    const at = new Date(a.clock.now() - 2 * hourMs)
    await utimes(join(folder, left), at, at)
    const shared = { clock: a.clock, market: a.market, secrets: a.secrets, dataDir }
    const follower = await withVenue({ database: postgres.database(), ...shared, cluster: followerOf })
    expect(await readdir(folder)).toEqual([left])
    await follower.close()
    const leader = await withVenue({ database: postgres.database(), ...shared })
    expect(await readdir(folder)).toEqual([])
    await leader.close()
    await rm(dataDir, { recursive: true })
  })
})
