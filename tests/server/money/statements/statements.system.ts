import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../../contract/constants.ts'
import type { Order } from '../../../../contract/orders.ts'
import { pdfEntriesMax } from '../../../../contract/statements.ts'
import { statementText } from '../../../../server/money/statements/texts.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { placeOrder, tickOnce } from '../../../support/orders.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { dayMs } from '../../../../contract/time.ts'

let member: MemberClient
let order: Order
let withdrawalNo: string
const venue = await withVenue()
beforeAll(async () => {
  member = await venue.createVerifiedMember()
  await member.post('/fund/deposits', { amount: '5000.00' })
  await venue.clock.jumpBy(5 * dayMs)
  member = await venue.openSession(member.id)
  await member.get('/fund')
  tickOnce(venue)
  order = await placeOrder(venue, member)
  const { body } = await member.post<{ id: string; no: string }>('/withdrawals', {
    amount: '100.00',
    transactionPassword,
  })
  withdrawalNo = body.no
  await venue.withdrawals.office.approve(body.id, 'mei')
  await venue.withdrawals.office.pay(body.id, { reference: 'REF1' }, 'mei')
})

const query = 'month=2026-01&zone=Asia/Shanghai'
const pdfOf = async (path: string): Promise<Buffer> => {
  const answer = await venue.app.inject({ url: `/api${path}`, headers: { cookie: `sid=${member.sid}` } })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

describe('the list of months', () => {
  it('begins with the first entry, in the zone of the reader', async () => {
    const { body, headers } = await member.get('/me/statements?zone=Asia/Shanghai')
    expect(body).toEqual({ items: [{ month: '2026-01', complete: false }] })
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each(['zone=Mars/Olympus', 'zone=%2B08:00', 'zone=', ''])('rejects %s', async (search) => {
    expect((await member.get(`/me/statements?${search}`)).status).toBe(400)
  })
})

describe('the CSV file', () => {
  it('names each row in the language, with number and product, and shows what moved on hold and in the fund', async () => {
    const { text, headers } = await member.get(`/me/statement.csv?${query}&lang=de`)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="statement-2026-01.csv"',
      'cache-control': 'no-store',
    })
    const lines = text.replace('\uFEFF', '').replaceAll('"', '').trim().split('\r\n')
    const earning = lines.find((line) => line.includes(',Fondsertrag,'))!
    expect(earning).toMatch(/^2026-01-10 10:00:00,Fondsertrag,,,,0\.00,5000\.00,0\.00,0\.\d\d$/)
    expect(lines.slice(0, 4)).toEqual([
      'Zeit (Asia/Shanghai),Art,Referenz,Produkt,Produktname,Betrag (USD, Demo-Guthaben),Saldo,Für Auszahlungen vorgemerkt,Guthabenfonds',
      ',Anfangssaldo,,,,,0.00,,',
      '2026-01-05 10:00:00,Demo-Guthaben erhalten,,,,10000.00,10000.00,0.00,0.00',
      '2026-01-05 10:00:00,Anlage im Fonds,,,,-5000.00,5000.00,0.00,5000.00',
    ])
    const closing = lines.indexOf(',Endsaldo,,,,,4890.00,,')
    expect(lines.slice(closing - 3, closing)).toEqual([
      `2026-01-10 10:00:00,Order aufgegeben,${order.no},TEST/USD,Test,-10.00,4990.00,0.00,0.00`,
      `2026-01-10 10:00:00,Auszahlung vorgemerkt,${withdrawalNo},,,-100.00,4890.00,100.00,0.00`,
      `2026-01-10 10:00:00,Auszahlung ausgeführt,${withdrawalNo},,,0.00,4890.00,-100.00,0.00`,
    ])
    expect(lines.slice(closing)).toContain(',Summe: Auszahlung ausgeführt,,,,0.00,,-100.00,0.00')
  })

  it('has only the own entries, and no month from before them or to come', async () => {
    const stranger = await venue.createMember()
    expect((await stranger.get(`/me/statement.csv?${query}`)).text).not.toContain(order.no)
    for (const month of ['2025-12', '2026-02', '2027-01']) {
      const reply = await stranger.get(`/me/statement.csv?month=${month}&zone=UTC`)
      expect([month, reply.status, reply.code]).toEqual([month, 404, 'NOT_FOUND'])
    }
    for (const bad of ['month=2026-13', 'month=2026-1', `${query}&lang=xx`, 'month=2026-01']) {
      const search = bad.includes('zone') || bad === 'month=2026-01' ? bad : `${bad}&zone=UTC`
      expect([bad, (await member.get(`/me/statement.csv?${search}`)).status]).toEqual([bad, 400])
    }
    expect((await venue.app.inject({ url: `/api/me/statement.csv?${query}` })).statusCode).toBe(401)
  })
})

describe('the PDF', () => {
  const fontNames: Record<Language, RegExp> = {
    'zh-CN': /NotoSansHans/,
    'zh-TW': /NotoSansHant/,
    ja: /NotoSansJP/,
    ko: /NotoSansKR/,
    th: /Sarabun/,
    vi: /Sarabun/,
    id: /Sarabun/,
    en: /Sarabun|Helvetica/,
    fr: /Sarabun/,
    de: /Sarabun/,
  }

  it.each(languages)('in %s has the words of the language in an embedded font', async (language) => {
    const pdf = await pdfOf(`/me/statement.pdf?${query}&lang=${language}`)
    const source = pdf.toString('latin1')
    expect(source.slice(0, 5)).toBe('%PDF-')
    expect(source.trimEnd().slice(-5)).toBe('%%EOF')
    expect(source).toMatch(fontNames[language])
    expect(pdf.length).toBeLessThan(200_000)
    const letters = lettersIn(source)
    const { title, types, opening } = await statementText(language)
    const wanted = [title, opening, types.withdrawal_paid].join('').replaceAll(/[\s\u2060\x20-\x7e]/g, '')
    expect(Array.from(wanted).filter((letter) => !letters.has(letter))).toEqual([])
  })
})

describe('the PDF of a venue of its own', () => {
  it('names the company', async () => {
    // Lines with a letter that needs the embedded font.
    const company = { name: 'Quokka & Žižek Ltd.', licence: 'Č. 77-XJ', address: ['1 Whařf Road'] }
    const own = await withVenue({ database: venue.database, operatorConfig: { company } })
    const { sid } = await own.createMember()
    const letters = async (of: TestVenue, cookie: string) => {
      const url = `/api/me/statement.pdf?${query}&lang=en`
      const answer = await of.app.inject({ url, headers: { cookie: `sid=${cookie}` } })
      expect(answer.statusCode).toBe(200)
      return lettersIn(answer.rawPayload.toString('latin1'))
    }
    const lines = Array.from(
      `${company.name}${company.licence}${company.address.join('')}`.replaceAll(' ', ''),
    )
    const [plain, named] = [await letters(venue, member.sid), await letters(own, sid)]
    expect(lines.filter((letter) => !named.has(letter))).toEqual([])
    expect(lines.some((letter) => !plain.has(letter))).toBe(true)
  })

  it('is refused for a month with more entries than anyone reads; the CSV is not', async () => {
    const long = await venue.createMember()
    // In one statement without the triggers, which take seconds for so many rows.
    const post = (entries: number) =>
      venue.db.transaction(async (transaction) => {
        await transaction.execute('SET LOCAL session_replication_role = replica')
        await transaction.execute(`WITH b AS (
            UPDATE balance SET available = available + ${entries}, version = version + ${entries}
            WHERE member_id = '${long.id}' RETURNING *
          )
          INSERT INTO posting (member_id, id, at, type, amount, available, held, stakes, fund, house, grants, external,
            pnl, available_after, held_after, stakes_after, fund_after, pnl_after, ref_kind, ref_id)
          SELECT b.member_id, b.version - i, ${venue.clock.now()}, 'deposit', 1, 1, 0, 0, 0, 0, 0, -1,
            0, b.available - i, b.held, b.stakes, b.fund, b.pnl, 'member', b.member_id
          FROM b, generate_series(0, ${entries - 1}) i`)
      })
    // With the opening balance one more than is allowed.
    await post(pdfEntriesMax)
    const pdf = () => long.get(`/me/statement.pdf?${query}&lang=en`)
    expect(await pdf()).toMatchObject({
      status: 409,
      code: 'STATEMENT_TOO_LONG',
      params: { max: pdfEntriesMax },
    })
    const { text } = await long.get(`/me/statement.csv?${query}&lang=en`)
    expect(text.trim().split('\r\n').length).toBeGreaterThan(pdfEntriesMax)
  })
})

// Last, because it moves the clock far ahead.
it('lists the months since the first entry, also those without one', async () => {
  const other = await venue.createMember()
  await venue.clock.jumpBy(65 * dayMs)
  const later = await venue.openSession(other.id)
  expect((await later.get('/me/statements?zone=asia/shanghai')).body).toEqual({
    items: [
      { month: '2026-03', complete: false },
      { month: '2026-02', complete: true },
      { month: '2026-01', complete: true },
    ],
  })
  const { text } = await later.get('/me/statement.csv?month=2026-02&zone=asia/shanghai&lang=en')
  expect(text.replaceAll('"', '').trim().split('\r\n').slice(1)).toEqual([
    ',Opening balance,,,,,10000.00,,',
    ',Closing balance,,,,,10000.00,,',
  ])
})

/** The letters that a PDF maps its glyphs to: copied from a viewer, its text has these. */
function lettersIn(source: string): ReadonlySet<string> {
  const letters = new Set<string>()
  // The line end before `endstream` is one byte; a return before it is the last byte of the stream.
  for (const [, body = ''] of source.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    let text: string
    try {
      text = inflateSync(Buffer.from(body, 'latin1')).toString('latin1')
    } catch {
      continue
    }
    if (!text.includes('beginbfrange')) continue
    for (const [, codes = ''] of text.matchAll(/<([0-9a-f ]+)>/g)) {
      for (const unit of codes.split(' ')) letters.add(String.fromCodePoint(Number.parseInt(unit, 16)))
    }
  }
  return letters
}
