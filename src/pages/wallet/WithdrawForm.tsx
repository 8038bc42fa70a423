import { useId, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { amountText } from '../../../contract/amount.ts'
import { minor, type Minor } from '../../../contract/units.ts'
import { amountMax, restHoursDefault } from '../../../contract/constants.ts'
import { hourMs } from '../../../contract/time.ts'
import { addMoney, negate } from '../../../contract/money.ts'
import type { Verification } from '../../../contract/verification.ts'
import type { WithdrawalAccount, WithdrawalRest } from '../../../contract/withdrawals.ts'
import { noValue } from '../../text/format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { navigate } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, Stat, KeyValues, TextLink, toast } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { PracticeNote } from './PracticeNote.tsx'
import { AwaitingNote } from './AwaitingNote.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import { RecordsLink } from './RecordsLink.tsx'
import { RestNote } from './RestNote.tsx'
import { TransactionPasswordField } from '../../features/passkeys/TransactionPasswordField.tsx'
import { useWithdraw, type WithdrawFormState as Form } from './useWithdraw.ts'
import styles from './Wallet.module.css'
import { WithdrawConfirm } from './WithdrawConfirm.tsx'
import { WithdrawDestination } from './WithdrawDestination.tsx'

export type WithdrawFormProps = {
  /** The available balance, and what of it can be withdrawn. */
  balance: Minor
  available: Minor
  account: WithdrawalAccount | null
  /** Until when withdrawals are paused; null if they are not. */
  rest: WithdrawalRest | null
  verification: Verification['status']
  /** The venue rejected the withdrawal: the data behind the form may have changed. */
  onRejected: () => void
}

/** The withdrawal form: amount, destination and password. Missing requirements are shown first. */
export function WithdrawForm(props: WithdrawFormProps) {
  const { balance, available, account, rest, verification, onRejected } = props
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const restHours = useVenueConfig()?.withdrawalRestHours
  const form = useWithdraw({
    available,
    onAnswer: (answer) => {
      if ('rejected' in answer) onRejected()
      else {
        const amount = format.money(answer.done.amount)
        toast({ kind: 'success', text: t('withdraw.done', { amount }) })
        navigate(paths.withdrawals, { replace: true })
      }
    },
  })
  const review = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (account !== null) form.review(account)
  }
  const disabledReason =
    account === null
      ? t('withdraw.bindFirst')
      : verification !== 'verified'
        ? t('error.NOT_VERIFIED')
        : rest !== null
          ? t('withdraw.resting', { endsAt: format.dateTimeShort(rest.endsAt) })
          : form.isOverAvailable
            ? t('withdraw.correctAmount')
            : undefined
  return (
    <Page
      ground="market"
      title={t('title.withdraw')}
      backTo={paths.user}
      receives="events"
      actions={<RecordsLink to={paths.withdrawals} />}
      footer={
        <>
          <Problem text={form.problem} />
          <SubmitButton form={id} disabledReason={disabledReason}>
            {t('title.withdraw')}
          </SubmitButton>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={review}>
        <RestNote rest={rest} />
        <AvailableStat available={available} />
        <AwaitingNote amount={addMoney(balance, negate(available))} />
        <Amount form={form} available={available} />
        <WithdrawDestination account={account} verification={verification} />
        <TransactionPasswordField
          name="transactionPassword"
          value={form.password}
          error={form.passwordError}
          onChange={(event) => form.setPassword(event.currentTarget.value)}
          readOnly={form.state !== 'idle'}
          choice={form.choice}
        />
        <Facts form={form} />
        <Practice hasRest={restHours !== 0} />
      </form>
      {account !== null && <WithdrawConfirm form={form} account={account} />}
    </Page>
  )
}

function AvailableStat({ available }: { available: Minor }) {
  const { t } = useTranslation()
  const format = useFormat()
  const currency = useVenueConfig()?.currency
  return (
    <div>
      <div className={styles.labelLine}>
        <span className={styles.label}>{t('withdraw.available')}</span>
        <PracticeBadge />
      </div>
      <Stat size={28} unit={currency}>
        {format.money(available)}
      </Stat>
    </div>
  )
}

function Amount({ form, available }: { form: Form; available: Minor }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amount, amountError, isOverAvailable, state } = form
  const { value } = amount
  const max = minor(Math.min(available, amountMax))
  const overAvailableText =
    isOverAvailable && value !== undefined
      ? t('withdraw.over', {
          more: format.money(addMoney(value, negate(available))),
          available: format.money(available),
        })
      : undefined
  const { onValue, ...bind } = amount.bind
  const put = (text: string) => {
    form.clearAmountError()
    amount.put(text)
  }
  return (
    <Field
      {...bind}
      label={t('wallet.amount')}
      figure
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="next"
      readOnly={state !== 'idle'}
      error={amount.unclear ?? amountError ?? overAvailableText}
      hint={amount.capped ? t('wallet.capped', { max: format.money(max) }) : undefined}
      onChange={(event) => {
        form.clearAmountError()
        onValue(event.currentTarget.value)
      }}
      suffix={
        <TextLink strong onClick={() => put(amountText(max, format.decimalMark))}>
          {t('wallet.useAll')}
        </TextLink>
      }
    />
  )
}

function Facts({ form }: { form: Form }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { value } = form.amount
  return (
    <div className={styles.facts}>
      <KeyValues
        items={[
          { key: 'fee', label: t('withdraw.fee'), value: t('withdraw.noFee') },
          {
            key: 'receive',
            label: t('withdraw.receive'),
            value: value === undefined || form.isOverAvailable ? noValue : format.money(value),
          },
          { key: 'review', label: t('withdraw.reviewedBy'), value: t('withdraw.service') },
        ]}
      />
    </div>
  )
}

/** Each sentence has its own line: not every language has a space between two. */
function Practice({ hasRest }: { hasRest: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <PracticeNote>
      {t('withdraw.practice')}
      {!hasRest && (
        <>
          <br />
          {t('withdraw.practiceNoRest', { wait: format.wait(restHoursDefault * hourMs) })}
        </>
      )}
    </PracticeNote>
  )
}
