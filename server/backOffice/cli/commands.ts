import { readFileSync } from 'node:fs'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { Route } from '../../../contract/route.ts'
import { readDuration, readInstant } from './time.ts'
import { UsageError } from './usageError.ts'

/** What the member of staff typed: words by the name that the command gives them, and options. */
export type CommandInput = Readonly<Record<string, string | undefined>>

/** One verb of a noun: its call, and how what was typed becomes the call's parts. */
export type Command = {
  route: Route
  /** Words after the verb, in order; a name that ends in `?` may be left out. */
  positionals?: readonly string[]
  /** Options of its own, with what stands for their value in the help. */
  options?: Readonly<Record<string, { value: string; help: string; required?: true }>>
  query?: (given: CommandInput) => Record<string, unknown>
  body?: (given: CommandInput) => Record<string, unknown>
  /** Columns of a list. */
  columns?: readonly string[]
  /** Where an answer names pictures that `--photos` fetches: path of the upload's id → name of the file. */
  photos?: Readonly<Record<string, string>>
}

const text = (value: string, help: string) => ({ value, help })
const status = text('STATUS', 'only those: under_review, successful or failed')
const reason = { ...text('TEXT', 'why; the member sees it'), required: true } as const

const opensAt = text('TIME', 'opens by itself then: 2026-05-01T02:00Z, epoch ms, or in 30m')
const opensAtBody = (given: CommandInput): { opensAt?: number } => {
  const typed = given['opens-at']
  return typed === undefined ? {} : { opensAt: readInstant(typed, Date.now()) }
}

type ReviewNoun = Pick<
  typeof backOfficeRoutes,
  'deposits' | 'withdrawals' | 'verifications' | 'password-requests'
>

function reviewCommands(
  noun: keyof ReviewNoun,
  own: Pick<Command, 'columns' | 'photos'>,
): Record<string, Command> {
  const routes = backOfficeRoutes[noun]
  const statuses =
    noun === 'verifications' ? { ...status, help: 'only those: under_review, verified or rejected' } : status
  return {
    list: {
      route: routes.list,
      options: { status: statuses },
      query: (given) => ({ status: given['status'] }),
      ...(own.columns && { columns: own.columns }),
    },
    show: { route: routes.show, positionals: ['id'], ...(own.photos && { photos: own.photos }) },
    approve: { route: routes.approve, positionals: ['id'] },
    reject: {
      route: routes.reject,
      positionals: ['id'],
      options: { reason },
      body: (given) => ({ reason: given['reason'] }),
    },
  }
}

const moneyColumns = ['no', 'amount', 'status', 'createdAt', 'memberId', 'id'] as const
const publishCommand = (route: Route): Record<string, Command> => ({
  publish: { route, positionals: ['file'], body: (given) => ({ file: readFile(given['file']) }) },
})
const parseInteger = (typed: string | undefined): unknown =>
  typed !== undefined && /^\d{1,9}$/.test(typed) ? Number(typed) : typed

/** Every noun and verb of the command line. */
export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  codes: {
    list: {
      route: backOfficeRoutes.codes.list,
      columns: ['code', 'opened', 'uses', 'issuedAt', 'issuedBy', 'revokedAt'],
    },
    issue: {
      route: backOfficeRoutes.codes.issue,
      options: { uses: text('N', 'how many accounts it opens; any number where left out') },
      body: (given) => ({ uses: parseInteger(given['uses']) }),
    },
    revoke: { route: backOfficeRoutes.codes.revoke, positionals: ['id'] },
  },
  deposits: reviewCommands('deposits', { columns: moneyColumns, photos: { proofUploadId: 'proof' } }),
  withdrawals: reviewCommands('withdrawals', { columns: moneyColumns }),
  verifications: reviewCommands('verifications', {
    columns: ['id', 'status', 'nationality', 'submittedAt', 'memberId'],
    photos: { frontUploadId: 'front', backUploadId: 'back' },
  }),
  'password-requests': reviewCommands('password-requests', {
    columns: ['id', 'kind', 'status', 'createdAt', 'memberId'],
  }),
  'withdrawal-accounts': {
    unbind: { route: backOfficeRoutes['withdrawal-accounts'].unbind, positionals: ['id'] },
  },
  members: {
    list: {
      route: backOfficeRoutes.members.list,
      options: { account: text('TEXT', 'only accounts that begin so') },
      query: (given) => ({ account: given['account'] }),
      columns: ['account', 'nickname', 'level', 'creditScore', 'verification', 'createdAt', 'id'],
    },
    show: { route: backOfficeRoutes.members.show, positionals: ['id'] },
    level: {
      route: backOfficeRoutes.members.level,
      positionals: ['id', 'level?'],
      options: { level: text('1-5', 'the level, where it does not follow the ID') },
      body: (given) => ({ level: parseInteger(given['level']) }),
    },
    credit: {
      route: backOfficeRoutes.members.credit,
      positionals: ['id', 'score?'],
      options: { score: text('0-1000', 'the score, where it does not follow the ID') },
      body: (given) => ({ creditScore: parseInteger(given['score']) }),
    },
  },
  site: {
    show: { route: backOfficeRoutes.site.show },
    maintenance: {
      route: backOfficeRoutes.site.maintenance,
      options: { 'opens-at': opensAt },
      body: (given) => opensAtBody(given),
    },
    open: { route: backOfficeRoutes.site.open },
  },
  products: {
    list: {
      route: backOfficeRoutes.products.list,
      columns: ['id', 'code', 'status', 'opensAt', 'closesAt', 'feed', 'lastAt'],
    },
    maintenance: {
      route: backOfficeRoutes.products.maintenance,
      positionals: ['id'],
      options: { 'opens-at': opensAt },
      body: (given) => opensAtBody(given),
    },
    open: { route: backOfficeRoutes.products.open, positionals: ['id'] },
  },
  news: publishCommand(backOfficeRoutes.news.publish),
  highlights: publishCommand(backOfficeRoutes.highlights.publish),
  messages: {
    send: {
      route: backOfficeRoutes.messages.send,
      positionals: ['id'],
      options: {
        title: { ...text('TEXT', 'its title'), required: true },
        body: { ...text('TEXT', 'its text'), required: true },
        lang: text('CODE', 'the language it is written in; zh-CN where left out'),
        link: text('ROUTE', "a page of the client, such as 'pages/fund/fund'"),
      },
      body: ({ id, title, body, lang, link }) => ({ to: id, title, body, lang, link }),
    },
  },
  service: {
    list: {
      route: backOfficeRoutes.service.list,
      columns: ['account', 'unread', 'at', 'from', 'memberId'],
    },
    show: {
      route: backOfficeRoutes.service.show,
      positionals: ['id'],
      columns: ['at', 'from', 'read', 'body', 'uploadId', 'id'],
      photos: { 'items.uploadId': 'picture' },
    },
    reply: {
      route: backOfficeRoutes.service.reply,
      positionals: ['id', 'body?'],
      options: { body: text('TEXT', 'the reply, where it does not follow the ID') },
      body: (given) => ({ body: given['body'] }),
    },
  },
  audit: {
    list: {
      route: backOfficeRoutes.audit.list,
      options: {
        kind: text('KIND', 'only acts on that kind of thing, such as deposit'),
        subject: text('ID', 'only acts on the thing with that id'),
      },
      query: (given) => ({ kind: given['kind'], id: given['subject'] }),
      columns: ['at', 'actor', 'act', 'subject', 'details'],
    },
  },
  clock: {
    show: { route: backOfficeRoutes.clock.show },
    advance: {
      route: backOfficeRoutes.clock.advance,
      positionals: ['time'],
      body: (given) => ({ ms: readDuration(given['time'] ?? '') }),
    },
  },
}

function readFile(path: string | undefined): string {
  try {
    return readFileSync(path ?? '', 'utf8')
  } catch {
    throw new UsageError(`${path ?? 'the file'} cannot be read`)
  }
}
