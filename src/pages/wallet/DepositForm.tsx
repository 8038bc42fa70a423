import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import { amountText } from '../../../contract/amount.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { AmountLine, Icon, QuickAmounts } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { quickSums } from '../../features/forms/quickSums.ts'
import { PhotoTile } from '../../features/photos/PhotoTile.tsx'
import { AvailableBalance } from './AvailableBalance.tsx'
import { DepositFooter } from './DepositFooter.tsx'
import { Instructions } from './Instructions.tsx'
import { MethodField } from './MethodField.tsx'
import { PracticeNote } from './PracticeNote.tsx'
import { RecordsLink } from './RecordsLink.tsx'
import { useDeposit, type DepositState } from './useDeposit.ts'
import styles from './Wallet.module.css'

export type DepositFormProps = { methods: readonly DepositMethod[]; first: DepositMethod }

/** The deposit form: amount, method and payment instructions. */
export function DepositForm({ methods, first }: DepositFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const [methodId, setMethodId] = useState(first.id)
  const method = methods.find(({ id }) => id === methodId) ?? first
  const form = useDeposit(method)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <Page
      ground="market"
      title={t('title.deposit')}
      backTo={paths.user}
      receives="events"
      actions={<RecordsLink to={paths.deposits} />}
      footer={<DepositFooter form={form} formId={id} />}
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        <div className={styles.amount}>
          <Amount form={form} />
          <QuickAmounts
            label={t('deposit.quick')}
            items={quickSums(form.min, form.max).map((sum) => ({
              label: format.decimal(String(sum / 100)),
              disabled: form.state !== 'idle',
              onPick: () => form.amount.put(amountText(sum, format.decimalMark)),
            }))}
          />
        </div>
        <MethodField
          methods={methods}
          method={method}
          onMethod={setMethodId}
          locked={form.state !== 'idle'}
        />
        {method.kind === 'practice' ? (
          <PracticeNote>{t(method.reviewed ? 'deposit.practiceReview' : 'deposit.practice')}</PracticeNote>
        ) : (
          <Instructions method={method} />
        )}
        {method.reviewed && (
          <div className={styles.proof}>
            <PhotoTile
              name="proof"
              label={t('deposit.proof')}
              photo={form.proof}
              glyph={<Icon name="receipt" size={32} className={styles.proofGlyph} />}
            />
          </div>
        )}
      </form>
    </Page>
  )
}

function Amount({ form }: { form: DepositState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const currency = useVenueConfig()?.currency
  const { amount, min, max } = form
  const maxText = format.money(max)
  return (
    <div>
      <AmountLine
        {...amount.bind}
        label={t('wallet.amount')}
        labelEnd={<PracticeBadge />}
        unit={currency}
        readOnly={form.state !== 'idle'}
        error={amount.unclear ?? form.amountError}
        hint={
          amount.capped
            ? t('wallet.capped', { max: maxText })
            : t('deposit.range', { min: format.money(min), max: maxText })
        }
      />
      <AvailableBalance />
    </div>
  )
}
