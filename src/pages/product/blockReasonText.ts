import type { TFunction } from 'i18next'
import { assertNever } from '../../../contract/units.ts'
import type { Format } from '../../text/format.ts'
import { unclearAmountText } from '../../features/forms/unclearAmount.ts'
import { ageText } from '../../features/orders/duration.ts'
import type { BlockReason } from './preTradeCheck.ts'

/** Why the buttons are disabled, as a sentence. */
export function blockReasonText(t: TFunction, format: Format, reason: BlockReason): string {
  switch (reason.kind) {
    case 'maintenance':
    case 'closed':
    case 'noDuration':
    case 'noAmount':
    case 'waiting':
    case 'lossReached':
      return t(`ticket.off.${reason.kind}`)
    case 'offline':
      return t(offlineTexts[reason.why])
    case 'blocked':
      return t('connection.blocked')
    case 'unclearAmount':
      return unclearAmountText(t, format.decimalMark)
    case 'balanceWaiting':
      return t('ticket.off.balanceWaiting')
    case 'login':
      return t('ticket.loginText')
    case 'stale':
      return t('ticket.off.stale', { age: ageText(t, reason.ageMs) })
    case 'witness':
      return t(`ticket.off.witness.${reason.rejection}`)
    case 'crossesClose':
      return t('ticket.off.crossesClose', { time: format.time(reason.closesAt) })
    case 'belowMin':
      return t('ticket.off.belowMin', { min: format.money(reason.min) })
    case 'aboveMax':
      return t('ticket.off.aboveMax', { max: format.money(reason.max) })
    case 'excluded':
      return t('ticket.off.excluded', { until: format.dateTimeShort(reason.until) })
    case 'maxStake':
      return t('ticket.off.ownStake', { max: format.money(reason.max) })
    case 'dailyLoss':
      return t('ticket.off.ownLoss', { left: format.money(reason.left) })
    case 'empty':
      return t('ticket.off.empty', { min: format.money(reason.min) })
    case 'balance':
      return t('ticket.off.balance', { available: format.money(reason.available) })
    default:
      return assertNever(reason)
  }
}

const offlineTexts = {
  device: 'ticket.off.deviceOffline',
  again: 'ticket.off.offline',
  first: 'connection.connecting',
} as const

/** The same reason in one word, inside the button in place of the win. */
export function blockReasonNote(t: TFunction, reason: BlockReason): string {
  switch (reason.kind) {
    case 'offline':
      return t(reason.why === 'first' ? 'ticket.note.waiting' : 'ticket.note.paused')
    case 'stale':
    case 'blocked':
    case 'witness':
    case 'excluded':
    case 'lossReached':
      return t('ticket.note.paused')
    case 'maintenance':
    case 'closed':
      return t('ticket.note.closed')
    case 'waiting':
    case 'balanceWaiting':
      return t('ticket.note.waiting')
    case 'noDuration':
    case 'crossesClose':
      return t('ticket.note.duration')
    case 'login':
      return t('ticket.login')
    case 'empty':
      return t('ticket.balance')
    case 'noAmount':
    case 'unclearAmount':
    case 'belowMin':
    case 'aboveMax':
    case 'maxStake':
    case 'dailyLoss':
    case 'balance':
      return t('ticket.note.amount')
    default:
      return assertNever(reason)
  }
}
