import { readFileSync } from 'node:fs'
import { deskRoutes } from '../../../contract/desk.ts'
import type { Route } from '../../../contract/route.ts'
import { readDuration, readInstant } from './time.ts'
import { UsageError } from './usage.ts'

/** What the member of staff typed: words by the name that the command gives them, and options. */
export type Given = Readonly<Record<string, string | undefined>>

/** One verb of a noun: its call, and how what was typed becomes the call's parts. */
export type Command = {
  route: Route
  /** Words after the verb, in order; a name that ends in `?` may be left out. */
  words?: readonly string[]
  /** Options of its own, with what stands for their value in the help. */
  options?: Readonly<Record<string, { value: string; help: string; required?: true }>>
  query?: (given: Given) => Record<string, unknown>
  body?: (given: Given) => Record<string, unknown>
  /** Columns of a list. */
  columns?: readonly string[]
  /** Where an answer names pictures that `--photos` fetches: path of the upload's id → name of the file. */
  photos?: Readonly<Record<string, string>>
}

const text = (value: string, help: string) => ({ value, help })
const status = text('STATUS', 'only those: under_review, successful or failed')
const reason = { ...text('TEXT', 'why; the member sees it'), required: true } as const

const opensAt = text('TIME', 'opens by itself then: 2026-05-01T02:00Z, epoch ms, or in 30m')
const opening = (given: Given): { opensAt?: number } => {
  const typed = given['opens-at']
  return typed === undefined ? {} : { opensAt: readInstant(typed, Date.now()) }
}

type Review = Pick<typeof deskRoutes, 'deposits' | 'withdrawals' | 'verifications' | 'password-requests'>

function review(noun: keyof Review, own: Pick<Command, 'columns' | 'photos'>): Record<string, Command> {
  const routes = deskRoutes[noun]
  const statuses =
    noun === 'verifications' ? { ...status, help: 'only those: under_review, verified or rejected' } : status
  return {
    list: {
      route: routes.list,
      options: { status: statuses },
      query: (given) => ({ status: given['status'] }),
      ...(own.columns && { columns: own.columns }),
    },
    show: { route: routes.show, words: ['id'], ...(own.photos && { photos: own.photos }) },
    approve: { route: routes.approve, words: ['id'] },
    reject: {
      route: routes.reject,
      words: ['id'],
      options: { reason },
      body: (given) => ({ reason: given['reason'] }),
    },
  }
}

const money = ['no', 'amount', 'status', 'createdAt', 'memberId', 'id'] as const
const publish = (route: Route): Record<string, Command> => ({
  publish: { route, words: ['file'], body: (given) => ({ file: readFile(given['file']) }) },
})
const whole = (typed: string | undefined): unknown =>
  typed !== undefined && /^\d{1,9}$/.test(typed) ? Number(typed) : typed

/** Every noun and verb of the command line. */
export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  codes: {
    list: {
      route: deskRoutes.codes.list,
      columns: ['code', 'opened', 'uses', 'issuedAt', 'issuedBy', 'revokedAt'],
    },
    issue: {
      route: deskRoutes.codes.issue,
      options: { uses: text('N', 'how many accounts it opens; any number where left out') },
      body: (given) => ({ uses: whole(given['uses']) }),
    },
    revoke: { route: deskRoutes.codes.revoke, words: ['id'] },
  },
  deposits: review('deposits', { columns: money, photos: { proofUploadId: 'proof' } }),
  withdrawals: review('withdrawals', { columns: money }),
  verifications: review('verifications', {
    columns: ['id', 'status', 'nationality', 'submittedAt', 'memberId'],
    photos: { frontUploadId: 'front', backUploadId: 'back' },
  }),
  'password-requests': review('password-requests', {
    columns: ['id', 'kind', 'status', 'createdAt', 'memberId'],
  }),
  'withdrawal-accounts': {
    unbind: { route: deskRoutes['withdrawal-accounts'].unbind, words: ['id'] },
  },
  members: {
    list: {
      route: deskRoutes.members.list,
      options: { account: text('TEXT', 'only accounts that begin so') },
      query: (given) => ({ account: given['account'] }),
      columns: ['account', 'nickname', 'level', 'creditScore', 'verification', 'createdAt', 'id'],
    },
    show: { route: deskRoutes.members.show, words: ['id'] },
    level: {
      route: deskRoutes.members.level,
      words: ['id', 'level?'],
      options: { level: text('1-5', 'the level, where it does not follow the ID') },
      body: (given) => ({ level: whole(given['level']) }),
    },
    credit: {
      route: deskRoutes.members.credit,
      words: ['id', 'score?'],
      options: { score: text('0-1000', 'the score, where it does not follow the ID') },
      body: (given) => ({ creditScore: whole(given['score']) }),
    },
  },
  site: {
    show: { route: deskRoutes.site.show },
    maintenance: {
      route: deskRoutes.site.maintenance,
      options: { 'opens-at': opensAt },
      body: (given) => opening(given),
    },
    open: { route: deskRoutes.site.open },
  },
  products: {
    list: {
      route: deskRoutes.products.list,
      columns: ['id', 'code', 'status', 'opensAt', 'closesAt', 'feed', 'lastAt'],
    },
    maintenance: {
      route: deskRoutes.products.maintenance,
      words: ['id'],
      options: { 'opens-at': opensAt },
      body: (given) => opening(given),
    },
    open: { route: deskRoutes.products.open, words: ['id'] },
  },
  news: publish(deskRoutes.news.publish),
  highlights: publish(deskRoutes.highlights.publish),
  messages: {
    send: {
      route: deskRoutes.messages.send,
      words: ['id'],
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
      route: deskRoutes.service.list,
      columns: ['account', 'unread', 'at', 'from', 'memberId'],
    },
    show: {
      route: deskRoutes.service.show,
      words: ['id'],
      columns: ['at', 'from', 'read', 'body', 'uploadId', 'id'],
      photos: { 'items.uploadId': 'picture' },
    },
    reply: {
      route: deskRoutes.service.reply,
      words: ['id', 'body?'],
      options: { body: text('TEXT', 'the reply, where it does not follow the ID') },
      body: (given) => ({ body: given['body'] }),
    },
  },
  audit: {
    list: {
      route: deskRoutes.audit.list,
      options: {
        kind: text('KIND', 'only acts on that kind of thing, such as deposit'),
        subject: text('ID', 'only acts on the thing with that id'),
      },
      query: (given) => ({ kind: given['kind'], id: given['subject'] }),
      columns: ['at', 'actor', 'act', 'subject', 'details'],
    },
  },
  clock: {
    show: { route: deskRoutes.clock.show },
    advance: {
      route: deskRoutes.clock.advance,
      words: ['time'],
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
