import { expect, it } from 'vitest'
import { createActWriter } from '../../../../server/notices/actLog/actLog.ts'
import { verifyActChain } from '../../../../server/notices/actLog/actChain.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database } = venue

const write = (actor: string, details: Record<string, string> = {}) =>
  venue.actLog.write(database.db, {
    actor,
    act: 'view',
    subject: { kind: 'member', id: 'm1' },
    memberId: 'm1',
    details,
  })
const verify = () => verifyActChain(database.db)
const newestId = async (): Promise<number> =>
  Number((await database.pool.query<{ id: string }>('SELECT max(id) AS id FROM audit')).rows[0]!.id)

/** Changes rows as only the owner of the tables can, and puts them back after the check. */
async function tampered(statements: readonly string[], undo: readonly string[]): Promise<string[]> {
  const tables = ['audit', 'audit_link', 'audit_head']
  const all = async (what: string) => {
    for (const table of tables) await database.pool.query(`ALTER TABLE ${table} ${what}`)
  }
  await all('DISABLE TRIGGER USER')
  for (const sql of statements) await database.pool.query(sql)
  const { findings } = await verify()
  for (const sql of undo) await database.pool.query(sql)
  await all('ENABLE TRIGGER USER')
  expect((await verify()).findings).toEqual([])
  return findings
}

it('every row is linked, whatever its text, and the chain is that of the rows', async () => {
  for (const text of ['plain', '"quoted"\\ and\n\ttabs \u0001\u007f', 'a|b,[c]', '\u2028 王小明 😀', ''])
    await write(`w${text}`, { text })
  await venue.actLog.write(database.db, { actor: 'x', act: 'y', subject: { kind: 'a', id: 'b' } })
  const { rows, findings, head } = await verify()
  expect(findings).toEqual([])
  const { rows: count } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM audit')
  expect([rows, head.no]).toEqual([count[0]!.n, count[0]!.n])
})

it('a transaction that is taken back leaves no link', async () => {
  const before = await verify()
  const failing = database.db.transaction(async (tx) => {
    await createActWriter(venue)(tx, { actor: 'x', act: 'y', subject: { kind: 'a', id: 'b' } })
    throw new Error('taken back')
  })
  await expect(failing).rejects.toThrow('taken back')
  await write('after')
  expect(await verify()).toMatchObject({ rows: before.rows + 1, findings: [] })
})

it('names a changed row, and only that one', async () => {
  const id = await newestId()
  await write('later')
  for (const column of ['actor', 'act', 'subject_kind', 'subject_id', 'member_id', 'details'])
    expect(
      await tampered(
        [`UPDATE audit SET ${column} = coalesce(${column}, '') || 'x' WHERE id = ${id}`],
        [
          `UPDATE audit SET ${column} = substr(${column}, 1, length(${column}) - 1) WHERE id = ${id}`,
          `UPDATE audit SET member_id = NULL WHERE id = ${id} AND member_id = ''`,
        ],
      ),
    ).toEqual([expect.stringContaining(`row ${id} of the act log`)])
  expect(
    await tampered(
      [`UPDATE audit SET at = at + 1 WHERE id = ${id}`],
      [`UPDATE audit SET at = at - 1 WHERE id = ${id}`],
    ),
  ).toEqual([expect.stringContaining(`row ${id} of the act log`)])
})

it('names a removed row, in the middle and at the end, with and without its link', async () => {
  const id = await newestId()
  await write('later')
  const kept = 'CREATE TEMP TABLE kept AS SELECT * FROM audit WHERE id ='
  const keptLink = 'CREATE TEMP TABLE kept_link AS SELECT * FROM audit_link WHERE audit_id ='
  const remove = (row: number) => [`${kept} ${row}`, `DELETE FROM audit WHERE id = ${row}`]
  const removeLink = (row: number) => [`${keptLink} ${row}`, `DELETE FROM audit_link WHERE audit_id = ${row}`]
  const back = ['INSERT INTO audit OVERRIDING SYSTEM VALUE SELECT * FROM kept', 'DROP TABLE kept']
  const linkBack = ['INSERT INTO audit_link SELECT * FROM kept_link', 'DROP TABLE kept_link']
  for (const row of [id, id + 1]) {
    const [found, ...others] = await tampered(remove(row), back)
    expect([found, others]).toEqual([expect.stringContaining(`row ${row} of the act log`), []])
    const both = await tampered([...remove(row), ...removeLink(row)], [...back, ...linkBack])
    expect(both).toEqual([expect.stringMatching(/^row no \d+ of the act log is missing$/)])
    const linkOnly = await tampered(removeLink(row), linkBack)
    expect(linkOnly).toContain(`row ${row} of the act log is not part of its chain`)
  }
})

it('names rows that changed places', async () => {
  const id = await newestId()
  await write('later', { no: '2' })
  const swap = (column: string) =>
    `UPDATE audit SET ${column} = other.${column} FROM audit other
     WHERE audit.id IN (${id}, ${id + 1}) AND other.id = ${2 * id + 1} - audit.id`
  const both = [swap('actor'), swap('details')]
  const findings = await tampered(both, both)
  expect(findings).toEqual([
    expect.stringContaining(`row ${id} of the act log`),
    expect.stringContaining(`row ${id + 1} of the act log`),
  ])
})

it('an end that was cut off and a chain that was written anew are found by an earlier head', async () => {
  const { head } = await verify()
  expect((await verifyActChain(database.db, { ...head, hash: 'f'.repeat(64) })).findings).toEqual([
    expect.stringContaining('was written anew'),
  ])
  expect((await verifyActChain(database.db, { ...head, no: head.no + 2 })).findings).toEqual([
    `rows no ${head.no + 1} to ${head.no + 2} of the act log are missing`,
  ])
})

it('the venue finds it by itself, tells it, and the check is measured', async () => {
  await venue.nightlyChecks.checkActions()
  expect((await venue.nightlyChecks.found()).actions).toMatchObject({ differing: 0 })
  expect(venue.reportedErrors).toEqual([])
  const id = await newestId()
  await database.pool.query('ALTER TABLE audit DISABLE TRIGGER USER')
  await database.pool.query(`UPDATE audit SET actor = 'nobody' WHERE id = ${id}`)
  await database.pool.query('ALTER TABLE audit ENABLE TRIGGER USER')
  await venue.nightlyChecks.checkActions()
  const { items } = (
    await venue.office<{ items: { act: string; details: { finding?: string } }[] }>('GET', '/audit')
  ).body
  expect(items[0]).toMatchObject({ act: 'difference found' })
  expect(items[0]!.details.finding).toContain(`row ${id} of the act log`)
  expect(venue.reportedErrors.join()).toContain('found differences in the actions')
})

const postgres = await withPostgres('audit chain')
postgres.describe('many at once', () => {
  it('rows of transactions that run at the same time are linked one after the other', async () => {
    const { db } = postgres.database()
    const write = createActWriter({ clock: { now: () => 1 } })
    const add = (writer: number) =>
      db.transaction(async (tx) => {
        for (let row = 0; row < 3; row++)
          await write(tx, { actor: `writer-${writer}`, act: 'x', subject: { kind: 'a', id: `${row}` } })
      })
    const before = await verifyActChain(db)
    await Promise.all(Array.from({ length: 40 }, (_, writer) => add(writer)))
    const after = await verifyActChain(db)
    expect(after).toMatchObject({ rows: before.rows + 120, findings: [] })
  })
})
