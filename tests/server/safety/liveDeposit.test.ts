import { expect, it } from 'vitest'
import { minor } from '../../../contract/brand.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { roleNamesOf } from '../../../server/db/roles/roles.ts'
import { leadDatabase } from '../../support/ledDatabase.ts'
import { createStaff } from '../../support/staffClient.ts'
import { openTestVenue } from '../../support/testVenue.ts'

it('in live mode the calls of members credit no deposit, and the back office does', async () => {
  const database = await openMemoryDatabase()
  const fence = await leadDatabase(database, 'live')
  const venue = await openTestVenue(database, { live: true, asRoles: true, fence })
  try {
    const clerk = await createStaff(venue, 'finance')
    const member = await venue.createMember(minor(0))
    const names = roleNamesOf('postgres')
    for (const role of [names.calls, names.office, names.engine]) {
      const client = await database.pool.connect()
      await client.query(`BEGIN; SET LOCAL ROLE ${role}`)
      const credit = async () =>
        client.query(`INSERT INTO deposit
          (id, no, member_id, method_id, amount, status, created_at, created_on, decided_at, decided_by)
        VALUES ('forged', 'forged', '${member.id}', 'bank-1', 100, 'successful', 1, '', 1, 'x')`)
      const end = await credit().then(
        () => 'credited',
        (error: unknown) => String(Reflect.get(error as object, 'code')),
      )
      await client.query('ROLLBACK')
      client.release()
      expect(end).toMatch(/^(23001|42501)$/)
    }
    const placed = await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '60.00' })
    expect(placed.status).toBe(201)
    expect((await clerk.post(`/deposits/${placed.body.id}/approve`)).status).toBe(200)
    expect((await member.get('/me/assets')).body).toMatchObject({ available: '60.00' })
  } finally {
    await venue.close()
    await database.close()
  }
})
