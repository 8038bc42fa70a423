import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fundRoutes, type Fund, type FundRules } from '../../../contract/fund.ts'
import { addMoney, formatMoney, moneyOf, negate } from '../../../contract/money.ts'
import { useCall } from '../../hooks/useCall.ts'
import { noValue } from '../../text/format.ts'
import { useBusinessOffset, useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { Card, KeyValues } from '../../ui/index.ts'
import { Timeline } from '../../features/transfers/Timeline.tsx'
import { useAmount } from '../../features/forms/useAmount.ts'
import { dailyEarnings, depositAmountError, tradeDayOf } from './transfer.ts'
import styles from './Transfer.module.css'
import { amountErrorText, TransferAmount } from './TransferAmount.tsx'
import { TransferForm } from './TransferForm.tsx'
import { useSubmitTransfer } from './useSubmitTransfer.ts'

export type TransferInProps = { fund: Fund; rules: FundRules; available: string }

/** A transfer of available money into the fund, with every date shown before it is submitted. */
export function TransferIn({ fund, rules, available }: TransferInProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const max = moneyOf(available)
  const amount = useAmount(max)
  const [isSubmitted, setSubmitted] = useState(false)
  const { send, busy, isOutcomeUnknown, problem, lost, clear } = useSubmitTransfer(
    (body: { amount: string }, key) => call(fundRoutes.depositIntoFund, { body }, { key }),
    (answer) => t('fund.inDone', { date: days.long(answer.confirmOn) }),
  )
  const amountError = depositAmountError(amount.text, max, rules)
  const shownAmount = amount.value === undefined || amountError ? undefined : amount.value
  const count = (value: number): string => format.decimal(String(value))
  return (
    <TransferForm
      title={t('fund.transferIn')}
      submitLabel={
        shownAmount === undefined
          ? t('fund.transferIn')
          : t('fund.inAmount', { amount: format.money(shownAmount) })
      }
      busy={busy}
      disabledReason={
        fund.depositsLeft === 0
          ? t('fund.timesUsed', { time: format.dateTimeShort(fund.resetAt) })
          : max <= 0
            ? t('fund.noMoney')
            : undefined
      }
      problem={lost ?? problem}
      onSubmit={() => {
        setSubmitted(true)
        // If committing the text changed the amount, the member checks it before it is sent. A request that may
        // already have been received is sent again unchanged.
        if (!isOutcomeUnknown && (!amount.commitAmount() || amountError !== undefined)) return
        if (amount.value !== undefined) send({ amount: formatMoney(amount.value) })
      }}
    >
      <TransferAmount
        amount={{ ...amount, put: (text) => (clear(), amount.put(text)) }}
        label={t('fund.available')}
        balance={available}
        max={max}
        error={
          amountError && (isSubmitted || amountError.kind !== 'empty') && max > 0
            ? amountErrorText(t, format, amountError)
            : undefined
        }
      />
      <Dates fund={fund} text={shownAmount === undefined ? '' : amount.text} />
      <KeyValues
        items={[
          {
            key: 'left',
            label: t('fund.inLeft'),
            value: t('fund.of', { left: count(fund.depositsLeft), all: count(rules.depositsPerDay) }),
          },
          { key: 'fee', label: t('fund.fee'), value: t('fund.none') },
          {
            key: 'after',
            label: t('fund.availableAfter'),
            value: shownAmount === undefined ? noValue : format.money(addMoney(max, negate(shownAmount))),
          },
        ]}
      />
    </TransferForm>
  )
}

/** The days on which the transfer counts, is confirmed and is first credited. */
function Dates({ fund, text }: { fund: Fund; text: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const zone = useVenueZone()
  const offsetMs = useBusinessOffset()
  const today = useBusinessToday()
  const tradeDay = tradeDayOf(fund, offsetMs, zone)
  const daily = dailyEarnings(text, fund.per10k)
  const cent = format.money('0.01')
  return (
    <Card outlined padded>
      <h2 className={styles.heading}>{t('fund.whatWhen')}</h2>
      <Timeline
        nodes={[
          {
            key: 'in',
            state: 'done',
            title: t('fund.stepIn'),
            caption:
              tradeDay === today
                ? t('fund.beforeCutoff', { time: format.timeShort(fund.cutoffAt + offsetMs) })
                : t('fund.countsAs', { date: days.long(tradeDay) }),
            when: today === undefined ? noValue : days.long(today),
          },
          {
            key: 'confirmed',
            state: 'ahead',
            title: t('fund.starts'),
            caption: t('fund.nextTradingDay'),
            when: days.long(fund.nextConfirmOn),
          },
          {
            key: 'credited',
            state: 'ahead',
            title: t('fund.credited'),
            caption:
              daily === undefined
                ? t('fund.afterFullDay')
                : daily > 0
                  ? t('fund.aboutADay', { amount: format.money(daily) })
                  : t('fund.lessThanCent', { amount: cent }),
            when: days.long(fund.nextCreditOn),
          },
        ]}
      />
    </Card>
  )
}
