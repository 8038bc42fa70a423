import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DepositMethod } from '../../../contract/wallet.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { AmountLine, Button, Icon, Select } from '../../ui/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { PhotoTile } from '../verify/PhotoTile.tsx'
import { AvailableLine } from './AvailableLine.tsx'
import { Instructions } from './Instructions.tsx'
import { PracticeNote } from './PracticeNote.tsx'
import { Problem } from './Problem.tsx'
import { RecordsLink } from './RecordsLink.tsx'
import { useDeposit } from './useDeposit.ts'
import styles from './Wallet.module.css'
import { methodName } from './words.ts'

export type DepositFormProps = { methods: readonly DepositMethod[]; first: DepositMethod }

/** By which way, how much, and what happens then. */
export function DepositForm({ methods, first }: DepositFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const currency = useConfig()?.currency
  const id = useId()
  const [chosen, setChosen] = useState(first.id)
  const method = methods.find((one) => one.id === chosen) ?? first
  const form = useDeposit(method)
  const { amount, proof, state } = form
  const practice = method.kind === 'practice'
  const sending = proof.photo.state === 'sending' || proof.photo.state === 'preparing'
  const off = form.outOfRange
    ? t('deposit.correctAmount')
    : sending
      ? t('deposit.waitingForProof')
      : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.submit()
  }
  const plain = t('title.deposit')
  const label =
    amount.value === undefined ? plain : t('deposit.submit', { amount: format.money(amount.value) })
  const { onValue, ...bind } = amount.bind
  return (
    <Page
      ground="market"
      title={plain}
      backTo={paths.user}
      actions={<RecordsLink to={paths.deposits} />}
      footer={
        <>
          <Problem text={form.problem} />
          <div role="status">
            {form.lost && (
              <p className={styles.open}>{t(state === 'open' ? 'wallet.stillOpen' : 'wallet.lost')}</p>
            )}
          </div>
          <Button
            type="submit"
            form={id}
            block
            busy={state === 'sending'}
            disabled={off !== undefined}
            {...(off === undefined ? {} : { reason: off })}
          >
            {state === 'open' ? t('wallet.askAgain') : form.outOfRange ? plain : label}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        <div>
          <AmountLine
            {...bind}
            label={t('wallet.amount')}
            labelEnd={<PracticeBadge />}
            unit={currency}
            onValue={onValue}
            readOnly={state !== 'idle'}
            error={form.fault}
            hint={
              amount.capped
                ? t('wallet.capped', { max: format.money(form.most) })
                : t('deposit.range', { min: format.money(form.least), max: format.money(form.most) })
            }
          />
          <AvailableLine />
        </div>
        {methods.length > 1 ? (
          <Select
            label={t('deposit.method')}
            options={methods.map((one) => ({ value: one.id, label: methodName(t, one) }))}
            value={method.id}
            onValue={(value) => {
              if (state === 'idle') setChosen(value)
            }}
          />
        ) : (
          <div>
            <p className={styles.label}>{t('deposit.method')}</p>
            <div className={styles.method}>
              <Icon name={practice ? 'hand-coins' : method.kind === 'bank' ? 'bank' : 'wallet'} size={24} />
              <span>{methodName(t, method)}</span>
            </div>
          </div>
        )}
        {practice ? (
          <PracticeNote>{t('deposit.practice')}</PracticeNote>
        ) : (
          <>
            <Instructions method={method} />
            <div className={styles.proof}>
              <PhotoTile
                name="proof"
                label={t('deposit.proof')}
                photo={proof}
                glyph={<Icon name="receipt" size={32} className={styles.proofGlyph} />}
              />
            </div>
          </>
        )}
      </form>
    </Page>
  )
}
