import { Navigate } from 'react-router';
import { firstScreen, useUser } from '../session/useSession';

/** Redirects to the first screen of the user's account. */
export function Start() {
  const user = useUser();
  return user === null ? null : <Navigate to={firstScreen(user)} replace />;
}
