import { Link } from 'react-router';
import { Icon } from '../../ui/Icon';
import classes from './Admin.module.css';

/** Leads from one thing to the list of all of its kind. */
export function Back({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} className={classes.back}>
      <Icon name="chevronLeft" size={15} /> {text}
    </Link>
  );
}
