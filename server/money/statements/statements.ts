import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Language } from '../../../contract/constants.ts'
import { pdfEntriesMax, statementRoutes } from '../../../contract/statements.ts'
import { ApiError } from '../../platform/apiError.ts'
import { csvType } from '../../platform/csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { chosenLanguage } from '../../platform/http/requestLanguage.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Market } from '../../market/index.ts'
import { writePdf } from './pdfThread.ts'
import { productsIn, type ProductOf } from './products.ts'
import { listMonths, openStatement, type Statement } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { statementDocument, statementLines } from './statementPdf.ts'
import { statementText, type StatementText } from './texts.ts'
import type { MoneySettings } from '../settings.ts'

export type StatementsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  market: Pick<Market, 'settings'>
  settings: Pick<MoneySettings, 'mode' | 'currency' | 'operatorConfig'>
}

/** Members' monthly statements, made from the ledger when they are requested: nothing is stored. */
export function createStatements(parts: StatementsParts): Module {
  return { mount: (app) => mountRoutes(app, parts) }
}

type Opened = { statement: Statement; text: StatementText; productOf: ProductOf; language: Language }

function mountRoutes(app: FastifyInstance, parts: StatementsParts): void {
  const { db, clock, market } = parts
  mount(app, statementRoutes.statements, async ({ member: { memberId }, query: { zone } }) => ({
    items: await listMonths(db, memberId, zone, clock.now()),
  }))

  const open = async (
    memberId: string,
    { month, zone }: { month: string; zone: string },
    language: Language,
  ): Promise<Opened> => {
    const statement = await openStatement(db, memberId, month, zone, clock.now())
    if (!statement) throw new ApiError('NOT_FOUND')
    const text = await statementText(language)
    return { statement, text, language, productOf: productsIn(market, language) }
  }

  mount(app, statementRoutes.statementCsv, async ({ member, query, request, reply }) => {
    const language = query.lang ?? chosenLanguage(request.headers)
    const { statement, text, productOf } = await open(member.memberId, query, language)
    const { mode, currency } = parts.settings
    const unit = mode === 'practice' ? `${currency}, ${text.practice}` : currency
    const pieces = statementCsv(statement, text, productOf, unit)
    const name = `statement-${query.month}.csv`
    return app.requestContext.downloads.stream(
      { caller: member.memberId, reply },
      { name, type: csvType, pieces },
    )
  })

  mount(app, statementRoutes.statementPdf, async ({ member, query, request, reply }) => {
    const language = query.lang ?? chosenLanguage(request.headers)
    const opened = await open(member.memberId, query, language)
    const entries = opened.statement.totals.reduce((sum, total) => sum + total.entries, 0)
    if (entries > pdfEntriesMax) throw new ApiError('STATEMENT_TOO_LONG', { params: { max: pdfEntriesMax } })
    const account = await accountOf(db, member.memberId)
    const document = statementDocument({ ...opened, account, ...parts.settings })
    const pieces = writePdf(document, statementLines(opened))
    const name = `statement-${query.month}.pdf`
    return app.requestContext.downloads.stream(
      { caller: member.memberId, reply },
      { name, type: 'application/pdf', pieces },
    )
  })
}

async function accountOf(db: Db, memberId: string): Promise<string> {
  const [row] = await db.select({ account: member.account }).from(member).where(eq(member.id, memberId))
  return row?.account ?? ''
}
