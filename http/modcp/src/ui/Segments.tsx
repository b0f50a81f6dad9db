import { useId } from 'react';
import classes from './Segments.module.css';

interface Props<Value extends string> {
  'aria-label'?: string;
  'aria-labelledby'?: string;
  value: Value;
  onChange: (value: Value) => void;
  data: { value: Value; label: string }[];
  size?: 'xs' | 'sm';
  fullWidth?: boolean;
  vertical?: boolean;
  className?: string;
}

/** A choice of a few words, side by side. Mantine's measures itself as it appears, before the first paint. */
export function Segments<Value extends string>({ value, onChange, data, size = 'sm', fullWidth, vertical, className = '', ...label }: Props<Value>) {
  const id = useId();
  return (
    <div {...label} role="radiogroup" className={`${classes.root} ${className}`} data-size={size} data-full={fullWidth || undefined} data-vertical={vertical || undefined}>
      {data.map((one) => (
        <div key={one.value} className={classes.segment} data-chosen={one.value === value || undefined}>
          <input type="radio" id={`${id}-${one.value}`} name={id} value={one.value} checked={one.value === value} onChange={() => onChange(one.value)} />
          <label htmlFor={`${id}-${one.value}`}>{one.label}</label>
        </div>
      ))}
    </div>
  );
}
