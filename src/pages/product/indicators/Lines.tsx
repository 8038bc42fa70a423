import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { priceUnits, type PriceUnits } from '../../../../contract/units.ts'
import { formatUnits } from '../../../../contract/price.ts'
import type { ProductDetail } from '../../../../streams/index.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import { pointerMedia, useMedia } from '../../../hooks/useMedia.ts'
import { linesMax, setLines, useChartSettings, type LineSetting } from '../../../state/chartSettings.ts'
import { IconButton, ListRow, Section } from '../../../ui/index.ts'
import styles from './IndicatorSheet.module.css'
import { LineForm } from './LineForm.tsx'

export type LinesProps = {
  product: ProductDetail
  /** In the price field at first. */
  price: PriceUnits | undefined
  priceField: Ref<HTMLInputElement>
}

const none: readonly LineSetting[] = []

/** The horizontal lines of a product, and the form that adds or changes one. */
export function Lines({ product, price, priceField }: LinesProps) {
  const { t } = useTranslation()
  const { id, priceDecimals } = product
  const hasPointer = useMedia(pointerMedia)
  const { decimalMark } = useFormat()
  const textOf = (units: number) => formatUnits(units, priceDecimals).replace('.', decimalMark)
  const lines = useChartSettings().lines[id] ?? none
  const [edited, setEdited] = useState<number>()
  /** The price of the menu, until a line was saved. */
  const [offered, setOffered] = useState(price)
  const change = (next: readonly LineSetting[]) => {
    setLines(id, next)
    setEdited(undefined)
    setOffered(undefined)
  }
  const line = edited === undefined ? undefined : lines[edited]
  return (
    <Section
      title={t('indicators.lines')}
      head="label"
      {...(hasPointer ? { help: t('indicators.linesAt') } : {})}
    >
      {lines.map((each, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- two lines can be equal
        <div key={i} className={styles.row}>
          <LineRow
            line={each}
            priceDecimals={priceDecimals}
            isEdited={i === edited}
            onEdit={() => setEdited(i)}
            onRemove={() => change(lines.filter((_, n) => n !== i))}
          />
        </div>
      ))}
      <LineForm
        // Starts again with each line, and after one was added.
        key={`${edited ?? 'new'} ${lines.length}`}
        initial={
          line === undefined
            ? { price: offered === undefined ? '' : textOf(offered), name: '' }
            : { price: textOf(line.units), name: line.name }
        }
        isNew={line === undefined}
        isFull={line === undefined && lines.length >= linesMax}
        priceDecimals={priceDecimals}
        priceField={priceField}
        onSave={(saved) =>
          change(
            line === undefined ? [...lines, saved] : lines.map((each, i) => (i === edited ? saved : each)),
          )
        }
      />
    </Section>
  )
}

type LineRowProps = {
  line: LineSetting
  priceDecimals: number
  isEdited: boolean
  onEdit: () => void
  onRemove: () => void
}

function LineRow({ line: { units, name }, priceDecimals, isEdited, onEdit, onRemove }: LineRowProps) {
  const { t } = useTranslation()
  const price = useFormat().price(priceUnits(units), priceDecimals)
  const line = name === '' ? price : `${price} ${name}`
  return (
    <ListRow
      label={<span className={styles.price}>{price}</span>}
      {...(name === '' ? {} : { caption: name })}
      end={
        <>
          <IconButton
            icon="pencil-simple"
            size={20}
            label={t('indicators.editLine', { line })}
            pressed={isEdited}
            onClick={onEdit}
          />
          <IconButton
            icon="trash"
            size={20}
            label={t('indicators.removeLine', { line })}
            onClick={onRemove}
          />
        </>
      }
    />
  )
}
