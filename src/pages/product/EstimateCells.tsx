import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { Cells } from '../../ui/index.ts'
import type { Estimate } from './estimate.ts'

/** What an order would bring if the direction is right or wrong, and how often it must be right to break even. */
export function EstimateCells({ estimate, frame = 'rule' }: { estimate: Estimate; frame?: 'box' | 'rule' }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Cells
      border={frame}
      items={[
        { key: 'right', label: t('ticket.ifRight'), value: format.money(estimate.win, 'always') },
        { key: 'wrong', label: t('ticket.ifWrong'), value: format.money(estimate.loss) },
        { key: 'even', label: t('ticket.breakEven'), value: format.share(estimate.breakEven) },
      ]}
    />
  )
}
