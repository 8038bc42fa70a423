import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { Route } from '../../../contract/route.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import { commands } from '../../../server/backOffice/cli/commands.ts'
import { help } from '../../../server/backOffice/cli/help.ts'
import { formatAnswer, waitingFor } from '../../../server/backOffice/cli/print.ts'
import { readArguments } from '../../../server/backOffice/cli/readArguments.ts'
import { sanitize, sanitizedJson, formatTable, widthOf } from '../../../server/backOffice/cli/table.ts'
import { readDuration, readInstant } from '../../../server/backOffice/cli/time.ts'
import { lockDataDir } from '../../../server/db/lock.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { writeAnnouncement } from '../../../server/db/venueAddress.ts'
import { addStaffTotp, createStaff, staffPassword } from '../../support/staffClient.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

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
    const routes = Object.entries(backOfficeRoutes).map(([noun, nounVerbs]) => [
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

describe('npm run desk', () => {
  let database: Database
  let venue: TickingVenue
  beforeAll(async () => {
    database = await openMemoryDatabase()
    venue = await openTickingVenue(database, { live: true })
  })
  afterAll(async () => {
    await venue.close()
    await database.close()
  })

  /** Runs the command that `npm run desk` runs, bundled: a start from the sources takes seconds. */
  const run = async (args: readonly string[], env: Record<string, string> = {}, input = '') => {
    const { port } = await venue.listen()
    return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [join(inject('serverBundle'), 'desk.js'), ...args], {
        env: {
          PATH: process.env['PATH'],
          HOME: venue.dataDir,
          PORT: String(port),
          DATA_DIR: venue.dataDir,
          ...env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      child.stdin.end(input)
      let [out, err] = ['', '']
      child.stdout.on('data', (data: Buffer) => (out += data.toString()))
      child.stderr.on('data', (data: Buffer) => (err += data.toString()))
      child.once('close', (code) => resolve({ code, out, err }))
    })
  }

  it('runs the build', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(scripts['desk']).toBe('node scripts/desk.mjs')
  })

  it('exits 0 when done, 1 with the code when rejected, and writes the actor into the audit', async () => {
    const member = await venue.registerMember()
    const { no } = (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '75.00' })).body
    const approve = ['deposits', 'approve', no, '--as', '小美']
    expect(await run([...approve, '--json'])).toMatchObject({ code: 0, err: '' })
    expect((await venue.assetsOf(member)).available).toBe('75.00')
    expect(await run(approve)).toEqual({ code: 1, out: '', err: 'CONFLICT\n' })
    const listed = await run(['audit', 'list', '--kind', 'deposit', '--as', 'mei', '--json'])
    expect(JSON.parse(listed.out)).toMatchObject({
      items: [{ actor: '小美', act: 'approve', details: { no } }],
      nextCursor: null,
    })
    // For reading too: what was looked at is in the audit.
    expect(await run(['site', 'show'])).toEqual({
      code: 2,
      out: '',
      err: 'desk: in live mode every command names who acts: --as NAME, or log in\n',
    })
    expect(await run(['site', 'show', '--as', 'x'.repeat(41)])).toMatchObject({
      code: 2,
      err: 'desk: --as takes one line of 40 characters at most, and no name of the staff: they log in\n',
    })
    const page = await run(['members', 'list', '--as', 'mei'])
    expect(page).toMatchObject({ code: 0, err: '' })
    expect(page.out).toMatch(/^account +nickname +level/)
  })

  it('finds the venue that runs in DATA_DIR; PORT goes before it', async () => {
    const { url } = await venue.listen()
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-desk-'))
    const show = ['site', 'show', '--as', 'mei']
    const env = { DATA_DIR: dataDir, DESK_KEY: venue.secrets.backOfficeKey }
    const lock = await lockDataDir(dataDir)
    await lock.announce(url)
    expect((await stat(join(dataDir, 'venue.address'))).mode & 0o777).toBe(0o600)
    expect(await run(show, { ...env, PORT: '' })).toMatchObject({ code: 0, err: '' })
    await lock.announce('http://127.0.0.1:1')
    expect((await run(show, { ...env, PORT: '' })).err).toMatch(
      /^desk: no venue answers at http:\/\/127\.0\.0\.1:1 /,
    )
    expect(await run(show, env)).toMatchObject({ code: 0, err: '' })
    await lock.release()
    expect(await readdir(dataDir)).toEqual([])
    // Of a process that was killed, also while a command of backups holds the folder.
    await writeAnnouncement(dataDir, { token: 'of another lock', pid: 7, url })
    const other = await lockDataDir(dataDir)
    for (const held of [true, false]) {
      expect(await run(show, { ...env, PORT: '' }), String(held)).toEqual({
        code: 2,
        out: '',
        err:
          `desk: no venue runs in ${dataDir}: the last one, process 7 at ${url}, ended without stopping; ` +
          'start it, or set DATA_DIR to that of the venue, or PORT\n',
      })
      await other.release()
    }
    expect(await readdir(dataDir)).toEqual(['venue.address'])
    await rm(dataDir, { recursive: true })
  })

  it('writes photos readable only by the user, also over a file readable by others', async () => {
    const member = await venue.registerMember()
    await venue.submitVerification(member)
    const folder = join(venue.dataDir, 'look/here')
    const show = ['verifications', 'show', member.account, '--as', 'mei', '--photos', folder, '--json']
    const first = await run(show)
    const { id, photos } = JSON.parse(first.out) as { id: string; photos: string[] }
    expect(await readdir(folder)).toEqual([`${id}-back.jpg`, `${id}-front.jpg`])
    expect(photos.sort()).toEqual([join(folder, `${id}-back.jpg`), join(folder, `${id}-front.jpg`)])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await chmod(photos[0]!, 0o644)
    await writeFile(photos[1]!, 'old')
    expect((await run(show)).code).toBe(0)
    for (const photo of photos) {
      expect((await stat(photo)).mode & 0o777).toBe(0o600)
      expect((await readFile(photo)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    }
    const views = await venue.backOffice<{ items: object[] }>('GET', '/audit?kind=upload')
    expect(views.body.items).toHaveLength(4)
  })

  it('publishes a file', async () => {
    const file = join(venue.dataDir, 'news.md')
    await writeFile(file, '---\nid: friday\nlang: en\ntitle: Friday\n---\nClosed.\n')
    const published = await run(['news', 'publish', file, '--as', 'mei'])
    expect(published).toMatchObject({ code: 0, err: '' })
    expect(published.out).toContain('title        Friday')
  })

  it.each([
    ['wrong usage', ['deposits', 'reject', 'x'], {}, /^desk: --reason is missing\n$/],
    ['no venue', ['codes', 'list'], { PORT: '1' }, /^desk: no venue answers at http:\/\/127\.0\.0\.1:1 /],
    ['no actor of a cut', ['log', 'cut', '--at', 'flush:1'], {}, /^desk: log cut needs --as, [^\n]+\n$/],
    [
      'no such database',
      ['log', 'check'],
      { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none', DATA_DIR: join(tmpdir(), 'uptick-none') },
      /^desk: DATABASE_URL does not answer \(ECONNREFUSED\)\n$/,
    ],
    ['no key', ['codes', 'list'], { DATA_DIR: '/nowhere' }, /^desk: no key in \/nowhere\/desk\.key/],
  ])('exits 2 for %s', async (_what, args, env, err) => {
    expect(await run(args, env)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(err) })
  })

  it('prints help after login and logout too', async () => {
    for (const command of ['login', 'logout']) {
      const { code, out } = await run([command, '--help'])
      expect([code, out.includes(`${command} `)]).toEqual([0, true])
    }
  })

  it('exits 1 for a wrong key, and prints help without a venue', async () => {
    const rejected = await run(['codes', 'list', '--as', 'mei'], { DESK_KEY: 'some-other-desk-key' })
    expect(rejected).toEqual({ code: 1, out: '', err: 'UNAUTHENTICATED\n' })
    expect(await run(['members', '--help'], { PORT: '1', DATA_DIR: '/nowhere' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('credit ID'),
    })
  })

  it('acts for a member of staff who logs in, with the role and the name of the office', async () => {
    const member = await createStaff(venue, 'support', 'sue')
    const { secret } = await addStaffTotp(member, venue.clock.now())
    await createStaff(venue, 'admin')
    const config = join(venue.dataDir, 'home')
    const env = { XDG_CONFIG_HOME: config }
    const file = join(config, 'uptick/desk.json')
    const code = () => new TOTP({ secret }).generate({ timestamp: venue.clock.now() + 30_000 })
    expect(await run(['login', 'sue'], env, `wrong password\n`)).toMatchObject({
      code: 1,
      err: 'BAD_CREDENTIALS\n',
    })
    const opened = await run(['login'], env, `sue\n${staffPassword}\n${code()}\n`)
    expect(opened).toMatchObject({ code: 0, err: '' })
    expect(opened.out).toMatch(/^logged in as sue \(support\) until /)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(config, 'uptick'))).mode & 0o777).toBe(0o700)

    expect(await run(['codes', 'issue'], env)).toMatchObject({ code: 0, err: '' })
    expect(await run(['audit', 'list'], env)).toEqual({ code: 1, out: '', err: 'FORBIDDEN\n' })
    const { rows } = await database.pool.query(
      "SELECT actor FROM audit WHERE act = 'issue' ORDER BY id DESC LIMIT 1",
    )
    expect(rows).toEqual([{ actor: 'sue' }])
    const { [`http://127.0.0.1:${(await venue.listen()).port}`]: stored } = JSON.parse(
      await readFile(file, 'utf8'),
    ) as Record<string, { token: string }>
    const byToken = { XDG_CONFIG_HOME: '/nowhere', DESK_TOKEN: stored!.token }
    expect(await run(['codes', 'list'], byToken)).toMatchObject({ code: 0, err: '' })

    const byFormerName = await run(['codes', 'list'], { XDG_CONFIG_HOME: '/nowhere', DESK_SESSION: file })
    expect(byFormerName).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^desk: DESK_SESSION: former setting, .+ now XDG_CONFIG_HOME/),
    })

    await chmod(file, 0o644)
    expect(await run(['codes', 'list'], env)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/others can read/),
    })
    await chmod(file, 0o600)
    expect(await run(['logout'], env)).toMatchObject({ code: 0, out: 'sue is logged out\n' })
    expect(await run(['codes', 'list'], byToken)).toMatchObject({ code: 1, err: 'UNAUTHENTICATED\n' })
    // A log-in that is over is not replaced by the key.
    const address = `http://127.0.0.1:${(await venue.listen()).port}`
    await writeFile(file, JSON.stringify({ [address]: { ...stored, name: 'sue' } }), { mode: 0o600 })
    expect((await run(['codes', 'list'], env)).err).toBe('UNAUTHENTICATED\n')
  })
})
