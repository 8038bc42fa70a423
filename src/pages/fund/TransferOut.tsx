import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fundRoutes, type Fund, type FundRules } from '../../../contract/fund.ts'
import { addMoney, formatMoney, moneyOf, negate } from '../../../contract/money.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { noValue } from '../../text/format.ts'
import { useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Card, KeyValues, Segments } from '../../ui/index.ts'
import { Timeline } from '../../features/transfers/Timeline.tsx'
import { useAmount } from '../../features/forms/useAmount.ts'
import { TransactionPasswordField } from '../../features/passkeys/TransactionPasswordField.tsx'
import { usePasskeyAnswer, type PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { usePasskeyChoice } from '../../features/passkeys/usePasskeyChoice.ts'
import { usePasswordField } from '../../features/passkeys/usePasswordField.ts'
import { withdrawalAmountError, maxTransferOut, payDayOf, type TransferMode } from './transfer.ts'
import styles from './Transfer.module.css'
import { amountErrorText, TransferAmount } from './TransferAmount.tsx'
import { TransferForm } from './TransferForm.tsx'
import { useSubmitTransfer } from './useSubmitTransfer.ts'

export type TransferOutProps = { fund: Fund; rules: FundRules }
type Transfer = { amount: string; mode: TransferMode }
type Body = Transfer & { transactionPassword?: string; passkey?: PasskeyReply }

const modes = ['fast', 'standard'] as const

/**
 * A transfer of confirmed share out of the fund: at once up to the day's cap, or at the start of the next trading day.
 */
export function TransferOut({ fund, rules }: TransferOutProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const form = useTransferOut(fund)
  const { amount, mode, sending, sendableAmount, confirmed } = form
  return (
    <TransferForm
      title={t('fund.transferOut')}
      submitLabel={
        sendableAmount === undefined
          ? t('fund.transferOut')
          : t('fund.outAmount', { amount: format.money(sendableAmount) })
      }
      busy={form.busy}
      disabledReason={
        fund.withdrawalsLeft === 0
          ? t('fund.timesUsed', { time: format.dateTimeShort(fund.resetAt) })
          : confirmed <= 0
            ? t('fund.noShare')
            : undefined
      }
      problem={sending.lost ?? form.problem}
      onSubmit={form.submit}
    >
      <TransferAmount
        amount={{ ...amount, put: (text) => (sending.clear(), amount.put(text)) }}
        label={t('fund.confirmed')}
        balance={fund.confirmed}
        max={maxTransferOut(fund, mode)}
        error={form.amountError && confirmed > 0 ? amountErrorText(t, format, form.amountError) : undefined}
      />
      <ModeChoice mode={mode} rules={rules} onMode={form.setMode} />
      <Dates mode={mode} rules={rules} />
      <TransactionPasswordField
        choice={form.choice}
        name="transactionPassword"
        value={form.password}
        error={form.passwordError}
        readOnly={form.busy}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
      />
      <TransferDetails
        fund={fund}
        rules={rules}
        after={sendableAmount && addMoney(confirmed, negate(sendableAmount))}
      />
    </TransferForm>
  )
}

/** The form's values, errors and submit function. */
function useTransferOut(fund: Fund) {
  const call = useCall()
  const { t } = useTranslation()
  const days = useDayFormat()
  const [mode, setMode] = useState<TransferMode>('fast')
  /** Sent again unchanged while its outcome is unknown. */
  const [sent, setSent] = useState<Body>()
  const [isSubmitted, setSubmitted] = useState(false)
  const confirmed = moneyOf(fund.confirmed)
  // Capped at the confirmed share only: over the fast cap the member sees the standard mode as an alternative.
  const amount = useAmount(confirmed)
  const sending = useSubmitTransfer(
    (body: Body, key) => call(fundRoutes.withdrawFromFund, { body }, { key }),
    ({ mode: confirmedMode, onDay }) =>
      confirmedMode === 'standard' && onDay !== null
        ? t('fund.standardDone', { date: days.long(onDay) })
        : t('fund.fastDone'),
  )
  const send = (body: Body): void => {
    setSent(body)
    sending.send(body)
  }
  const proof = useProof(send)
  const amountError = withdrawalAmountError(amount.text, fund, mode)
  const submit = (form: HTMLFormElement): void => {
    setSubmitted(true)
    // A request that may already have been received is sent again unchanged.
    if (sending.isOutcomeUnknown && sent) return send(sent)
    const isValid = amount.commitAmount() && amountError === undefined
    if (!proof.isGiven) {
      proof.setPasswordError(t('fund.enterTransactionPassword'))
      const input = form.elements.namedItem('transactionPassword')
      if (isValid && input instanceof HTMLElement) input.focus()
      return
    }
    if (!isValid || amount.value === undefined) return
    proof.send({ amount: formatMoney(amount.value), mode })
  }
  const isWrongPassword = sending.code?.startsWith('TRANSACTION_PASSWORD') ?? false
  return {
    mode,
    setMode,
    password: proof.field.password,
    choice: proof.choice,
    passwordError: proof.field.passwordError ?? (isWrongPassword ? sending.problem : undefined),
    setPassword: (text: string) => {
      sending.clear()
      proof.field.setPassword(text)
    },
    problem: proof.problem ?? (isWrongPassword ? undefined : sending.problem),
    busy: sending.busy || proof.isSigning,
    amount,
    confirmed,
    sending,
    submit,
    /** Shown after the form was submitted, or at once if the amount is too large. */
    amountError: isSubmitted || amountError?.kind !== 'empty' ? amountError : undefined,
    /** The amount that would be sent; undefined if it is not valid. */
    sendableAmount: amountError ? undefined : amount.value,
  }
}

/** What confirms a transfer: the transaction password, or a passkey. */
function useProof(send: (body: Body) => void) {
  const { field, setPasswordError } = usePasswordField()
  const choice = usePasskeyChoice()
  const isByPasskey = choice?.isPasskey === true
  const answerOf = usePasskeyAnswer()
  const [sendSigned, isSigning, problem] = useSubmit(async (transfer: Transfer) => {
    if (!isByPasskey) return send({ ...transfer, transactionPassword: field.password })
    const outcome = await answerOf('fundWithdrawal')
    return 'problem' in outcome ? outcome.problem : send({ ...transfer, passkey: outcome.answer })
  })
  return {
    field,
    setPasswordError,
    choice,
    problem,
    isSigning,
    isGiven: isByPasskey || field.password !== '',
    send: sendSigned,
  }
}

type ModeChoiceProps = { mode: TransferMode; rules: FundRules; onMode: (mode: TransferMode) => void }

function ModeChoice({ mode, rules, onMode }: ModeChoiceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={styles.mode}>
      <Segments
        block
        label={t('fund.modeLabel')}
        items={modes.map((value) => ({ value, label: t(`fund.mode.${value}`) }))}
        value={mode}
        onChange={onMode}
      />
      <p className={styles.help}>
        {mode === 'fast'
          ? t('fund.fastText', { cap: format.money(rules.fastCapPerDay) })
          : t('fund.standardText')}
      </p>
    </div>
  )
}

type TransferDetailsProps = TransferOutProps & { after: ReturnType<typeof addMoney> | undefined }

function TransferDetails({ fund, rules, after }: TransferDetailsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = (value: number): string => format.decimal(String(value))
  return (
    <KeyValues
      items={[
        {
          key: 'left',
          label: t('fund.outLeft'),
          value: t('fund.of', { left: count(fund.withdrawalsLeft), all: count(rules.withdrawalsPerDay) }),
        },
        { key: 'fast', label: t('fund.fastLeft'), value: format.money(fund.fastLeft) },
        { key: 'fee', label: t('fund.fee'), value: t('fund.none') },
        {
          key: 'after',
          label: t('fund.confirmedAfter'),
          value: after === undefined ? noValue : format.money(after),
        },
      ]}
    />
  )
}

/** When the share stops earning, and when the money arrives. */
function Dates({ mode, rules }: { mode: TransferMode; rules: FundRules }) {
  const { t } = useTranslation()
  const days = useDayFormat()
  const today = useBusinessToday()
  const paid = today === undefined ? undefined : payDayOf(today, rules)
  return (
    <Card outlined padded>
      <h2 className={styles.heading}>{t('fund.whatWhen')}</h2>
      <Timeline
        nodes={[
          {
            key: 'leaves',
            state: 'done',
            title: t('fund.leaves'),
            caption: t('fund.stopsEarning'),
            when: today === undefined ? noValue : days.long(today),
          },
          mode === 'fast'
            ? { key: 'arrives', state: 'done', title: t('fund.arrives'), when: t('fund.now') }
            : {
                key: 'arrives',
                state: 'ahead',
                title: t('fund.arrives'),
                caption: t('fund.atMidnight'),
                when: paid === undefined ? noValue : days.long(paid),
              },
        ]}
      />
    </Card>
  )
}
