<?php
/**
 * Plugin Name: Docket
 * Description: Lets visitors report comments to Docket, where moderators hide and restore them.
 * Version: 1.2.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * License: Apache-2.0
 */

namespace Docket;

use WP_Comment;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

defined( 'ABSPATH' ) || exit;

const PLUGIN = 'wordpress'; // the id in wordpress.yaml
const TYPE   = 'wordpress.comment';

// Settings → Docket. What wp-config.php defines as DOCKET_URL, DOCKET_SECRET or DOCKET_TOKEN wins.

const SETTINGS = [ 'url' => 'Address of Docket', 'token' => 'Token' ];

function setting( string $name ): string {
	$constant = 'DOCKET_' . strtoupper( $name );
	return defined( $constant ) ? (string) constant( $constant ) : (string) get_option( "docket_$name", '' );
}

/** The secret that Docket signs with is made once and kept in the site's options. */
function secret(): string {
	if ( setting( 'secret' ) === '' ) {
		add_option( 'docket_secret', 'whsec_' . base64_encode( random_bytes( 32 ) ), '', false );
	}
	return setting( 'secret' );
}

function connected(): bool {
	return setting( 'url' ) !== '' && setting( 'token' ) !== '';
}

function core(): string {
	return untrailingslashit( setting( 'url' ) ) . '/api/@platform/core';
}

add_action( 'admin_init', function () {
	register_setting( 'docket', 'docket_url', [ 'sanitize_callback' => fn ( $url ) => untrailingslashit( esc_url_raw( trim( (string) $url ), [ 'http', 'https' ] ) ) ] );
	// A token is not shown again; an empty field keeps it.
	register_setting( 'docket', 'docket_token', [ 'sanitize_callback' => fn ( $token ) => trim( (string) $token ) ?: (string) get_option( 'docket_token', '' ) ] );
} );

add_action( 'admin_menu', function () {
	add_options_page( 'Docket', 'Docket', 'manage_options', 'docket', __NAMESPACE__ . '\settings_page' );
} );

/** Reports whether the site's name leads to a private address here, where Docket asks nothing unless it is told to. */
function private_site( string $host ): bool {
	$address = gethostbyname( trim( $host, '[]' ) );
	return filter_var( $address, FILTER_VALIDATE_IP ) !== false
		&& filter_var( $address, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE ) === false;
}

function settings_page(): void {
	$site = wp_parse_url( home_url() );
	$environment = 'export WORDPRESS_SECRET=' . secret() . "\n"
		. 'export DOCKET_CORS_ORIGINS=' . $site['scheme'] . '://' . $site['host'] . ( isset( $site['port'] ) ? ':' . $site['port'] : '' ) . "\n"
		. 'export AUTH_JWKS_URL=' . rest_url( 'docket/v1/jwks' ) . "\n" // one a line, as environment files have them
		. 'export AUTH_ISSUER=plugin:' . PLUGIN . "\n"
		. 'export AUTH_AUDIENCE=docket'
		. ( private_site( $site['host'] ) ? "\nexport DOCKET_WEBHOOK_ALLOW_PRIVATE=true" : '' );
	echo '<div class="wrap"><h1>Docket</h1><h2>1. What Docket needs of this site</h2><p>Set <code>remote.url</code> in <code>wordpress.yaml</code> to <code>'
		. esc_html( rest_url( 'docket/v1' ) ) . '</code>, and start Docket with:</p><pre>' . esc_html( $environment ) . '</pre><h2>2. What this site needs of Docket</h2>'
		. '<p>The command <code>docket token create --use host --plugin ' . esc_html( PLUGIN ) . '</code> prints the token.</p><form method="post" action="options.php">';
	settings_fields( 'docket' );
	echo '<table class="form-table">';
	foreach ( SETTINGS as $name => $label ) {
		printf(
			'<tr><th scope="row"><label for="docket_%1$s">%2$s</label></th><td><input class="regular-text" id="docket_%1$s" name="docket_%1$s" type="%3$s" value="%4$s" placeholder="%5$s" autocomplete="off" %6$s></td></tr>',
			esc_attr( $name ), esc_html( $label ), $name === 'token' ? 'password' : 'url', $name === 'token' ? '' : esc_attr( setting( $name ) ),
			$name === 'token' && setting( 'token' ) !== '' ? 'Unchanged' : '', defined( 'DOCKET_' . strtoupper( $name ) ) ? 'disabled' : ''
		);
	}
	echo '</table>';
	submit_button();
	echo '</form>';
	if ( connected() ) {
		printf( '<h2>3. Moderate</h2><p>Report a comment on your site, then open <a href="%1$s">%1$s</a>.</p>', esc_url( setting( 'url' ) . '/modcp/reports' ) );
	}
	echo '</div>';
}

if ( ! connected() ) {
	add_action( 'admin_notices', function () {
		if ( get_current_screen()?->id === 'settings_page_docket' ) {
			return;
		}
		printf( '<div class="notice notice-warning"><p>Docket is not connected yet: see <a href="%s">Settings → Docket</a>.</p></div>', esc_url( admin_url( 'options-general.php?page=docket' ) ) );
	} );
}

// What Docket asks.

add_action( 'rest_api_init', function () {
	$questions = [
		'capture' => 'capture', 'current' => 'current', 'resolve' => 'resolve', 'actions/hide' => 'hide', 'actions/unhide' => 'unhide',
		'people/warn' => 'impose', 'people/restrict' => 'impose', 'people/suspend' => 'impose', 'people/terminate' => 'impose', 'people/end' => 'lift',
		'scopes/list' => 'list_scopes', 'scopes/find' => 'find_scopes',
	];
	foreach ( $questions as $path => $answer ) {
		register_rest_route( 'docket/v1', "/$path", [
			'methods' => 'POST', 'callback' => __NAMESPACE__ . "\\$answer", 'permission_callback' => __NAMESPACE__ . '\verified',
		] );
	}
	$open = [ 'methods' => 'GET', 'permission_callback' => '__return_true' ];
	register_rest_route( 'docket/v1', '/token', $open + [ 'callback' => __NAMESPACE__ . '\serve_token' ] );
	register_rest_route( 'docket/v1', '/jwks', $open + [ 'callback' => __NAMESPACE__ . '\serve_keys' ] );
} );

/**
 * Reports whether the secret signed a request in the last five minutes
 * (https://www.standardwebhooks.com).
 */
function verified( WP_REST_Request $request ): bool|WP_Error {
	$refused = new WP_Error( 'unsigned', 'The request is not signed with the secret of this site.', [ 'status' => 401 ] );
	$id      = (string) $request->get_header( 'webhook-id' );
	$at      = (string) $request->get_header( 'webhook-timestamp' );
	if ( $id === '' || ! ctype_digit( $at ) || abs( time() - (int) $at ) >= 300 ) {
		return $refused;
	}
	$secret = base64_decode( preg_replace( '/^whsec_/', '', secret() ), true );
	if ( $secret === false || strlen( $secret ) < 24 ) {
		return new WP_Error( 'secret', 'The secret must be whsec_ and at least 24 bytes in base64.', [ 'status' => 500 ] );
	}
	$wanted = 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$at." . $request->get_body(), $secret, true ) );
	foreach ( explode( ' ', (string) $request->get_header( 'webhook-signature' ) ) as $signature ) {
		if ( hash_equals( $wanted, $signature ) ) {
			return true;
		}
	}
	return $refused;
}

function capture( WP_REST_Request $q ): WP_REST_Response {
	$comment = find_comment( $q );
	return $comment && is_public( $comment ) ? answer( captured( $comment ) ) : missing();
}

/** Answers which comment is at the address of a notice: that of the comment itself, as its link has it. */
function resolve( WP_REST_Request $q ): WP_REST_Response {
	$url = is_string( $q['url'] ) ? $q['url'] : '';
	preg_match( '/^comment-(\d+)$/', (string) wp_parse_url( $url, PHP_URL_FRAGMENT ), $found );
	$comment = $found ? get_comment( (int) $found[1] ) : null;
	$ours    = wp_parse_url( home_url(), PHP_URL_HOST ) === wp_parse_url( $url, PHP_URL_HOST );
	return $ours && $comment ? answer( [ 'type' => 'wordpress.comment', 'id' => $comment->comment_ID ] ) : missing();
}

function current( WP_REST_Request $q ): WP_REST_Response {
	$comment = find_comment( $q );
	if ( ! $comment ) {
		return missing();
	}
	$status = wp_get_comment_status( $comment );
	return answer( [
		'hidden' => $status !== 'approved', 'url' => get_comment_link( $comment ), 'scope' => category( $comment ),
		'actions' => [ 'hide' => $status === 'approved', 'unhide' => $status === 'unapproved' ],
	] );
}

function hide( WP_REST_Request $q ): WP_REST_Response {
	return moderate( $q, 'hold' );
}

function unhide( WP_REST_Request $q ): WP_REST_Response {
	return moderate( $q, 'approve' );
}

/**
 * Sets the status of a comment. Docket repeats a request with the same webhook-id until it has
 * an answer, so the first answer is kept in the transaction of the change.
 */
function moderate( WP_REST_Request $q, string $status ): WP_REST_Response {
	global $wpdb;
	$kept = '_docket_' . $q->get_header( 'webhook-id' );
	$wpdb->query( 'START TRANSACTION' );
	$wpdb->query( $wpdb->prepare( "SELECT 1 FROM $wpdb->comments WHERE comment_ID = %s FOR UPDATE", $q['id'] ) );
	clean_comment_cache( (int) $q['id'] );
	$comment = find_comment( $q );
	if ( ! $comment ) {
		$wpdb->query( 'ROLLBACK' );
		return missing();
	}
	$first = get_comment_meta( (int) $comment->comment_ID, $kept, true );
	if ( is_array( $first ) ) {
		$wpdb->query( 'COMMIT' );
		return answer( $first );
	}
	$hidden = $status === 'hold';
	$before = wp_get_comment_status( $comment );
	if ( ! $hidden && $before === 'spam' ) { // for the site's own moderators to decide
		$wpdb->query( 'ROLLBACK' );
		return new WP_REST_Response( null, 409 );
	}
	$done = [ 'changed' => ( $before === 'approved' ) === $hidden, 'hidden' => $hidden ];
	if ( $done['changed'] && ! wp_set_comment_status( $comment, $status )
		|| ! add_comment_meta( (int) $comment->comment_ID, $kept, $done, true ) ) {
		$wpdb->query( 'ROLLBACK' );
		clean_comment_cache( (int) $comment->comment_ID );
		return new WP_REST_Response( null, 500 );
	}
	$wpdb->query( 'COMMIT' );
	return answer( $done );
}

function impose( WP_REST_Request $q ): WP_REST_Response {
	return measure( $q, 404, fn ( array $kept ) => $kept ?: [ 'kind' => (string) $q['kind'], 'until' => is_string( $q['until'] ) ? (string) strtotime( $q['until'] ) : '', 'report' => (string) $q['reportId'] ] );
}

function lift( WP_REST_Request $q ): WP_REST_Response {
	return measure( $q, 200, fn () => [ 'ended' => true ] );
}

/**
 * Keeps a measure in the account of its author, by its id. What has ended is kept too, so that a
 * measure that arrives after its end changes nothing. Authors without an account cannot be barred.
 */
function measure( WP_REST_Request $q, int $unknown, callable $changed ): WP_REST_Response {
	global $wpdb;
	$author = (array) $q['author'];
	$user   = is_string( $author['subject'] ?? null ) && ctype_digit( $author['subject'] ) ? (int) $author['subject'] : 0;
	$id     = (string) $q['measureId'];
	$wpdb->query( 'START TRANSACTION' );
	if ( $id === '' || ! $wpdb->get_var( $wpdb->prepare( "SELECT ID FROM $wpdb->users WHERE ID = %d FOR UPDATE", $user ) ) ) {
		$wpdb->query( 'ROLLBACK' );
		return new WP_REST_Response( [ 'changed' => false ], $unknown );
	}
	wp_cache_delete( $user, 'user_meta' );
	$all    = measures( $user );
	$before = $all[ $id ] ?? [];
	$all[ $id ] = $changed( $before );
	update_user_meta( $user, MEASURES, $all );
	$wpdb->query( 'COMMIT' );
	return answer( [ 'changed' => $all[ $id ] !== $before && ( $before || ! isset( $all[ $id ]['ended'] ) ) ] );
}

const MEASURES = 'docket_measures';

function measures( int $user ): array {
	return array_filter( (array) get_user_meta( $user, MEASURES, true ), 'is_array' );
}

/** Returns the measures that keep a member from commenting. */
function barring( int $user ): array {
	return array_values( array_filter( measures( $user ), fn ( $m ) => ! isset( $m['ended'] ) && $m['kind'] !== 'warn' && ( $m['until'] === '' || $m['until'] > time() ) ) );
}

// Who is restricted, suspended or terminated reads, and reports nothing: Docket sees to that.
add_filter( 'comments_open', fn ( $open ) => $open && ! barring( get_current_user_id() ) );

add_action( 'comment_form_comments_closed', function () {
	$all = barring( get_current_user_id() );
	if ( ! $all ) {
		return;
	}
	$until = max( array_map( fn ( $m ) => $m['until'] === '' ? INF : (float) $m['until'], $all ) );
	printf( '<p class="docket-barred">%s', esc_html( $until === INF ? 'You may not comment.' : 'You may not comment until ' . wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), (int) $until ) . '.' ) );
	foreach ( connected() ? array_unique( array_column( $all, 'report' ) ) : [] as $report ) {
		printf( ' <a rel="nofollow" href="%s">Appeal</a>', esc_url( add_query_arg( 'docket_appeal', $report, home_url( '/' ) ) ) );
	}
	echo '</p>';
} );

/** The page behind "Appeal": a form whose appeal this server sends as the member, who has no account to sign in with at Docket. */
add_action( 'template_redirect', function () {
	if ( ! isset( $_GET['docket_appeal'] ) ) {
		return;
	}
	nocache_headers();
	$report = wp_unslash( $_GET['docket_appeal'] );
	if ( ! in_array( $report, array_column( barring( get_current_user_id() ), 'report' ), true ) ) {
		wp_die( 'There is no such decision about you.', 'Appeal', [ 'response' => 404 ] );
	}
	if ( $_SERVER['REQUEST_METHOD'] === 'POST' ) {
		check_admin_referer( "docket_appeal_$report" );
		[ $status, $message ] = appeal( $report, wp_unslash( $_POST )['text'] ?? '' );
		wp_die( '<p role="status">' . esc_html( $message ) . '</p>', 'Appeal', [ 'response' => $status ] );
	}
	wp_die( sprintf(
		'<h1>Appeal</h1><form method="post"><p><label>Why is the decision wrong?<br><textarea name="text" maxlength="5000" rows="6" cols="40" required></textarea></label></p>
		%s<p><button class="button">Send appeal</button></p></form>',
		wp_nonce_field( "docket_appeal_$report", '_wpnonce', true, false )
	), 'Appeal', [ 'response' => 200 ] );
} );

/** Appeals a decision as the present member and returns a status with a message for them. */
function appeal( string $report, mixed $text ): array {
	$sent   = wp_remote_post( core() . '/users/decisions/' . rawurlencode( $report ) . '/appeal', [
		'timeout' => 10, 'headers' => [ 'Content-Type' => 'application/json', 'Authorization' => 'Bearer ' . token( reporter() ) ],
		'body' => wp_json_encode( [ 'text' => is_string( $text ) ? $text : '' ] ),
	] );
	$status = (int) wp_remote_retrieve_response_code( $sent );
	return match ( true ) {
		$status === 201 => [ 200, 'Your appeal was sent. Another moderator will look at it.' ],
		$status >= 400 && $status < 500 => [ $status, json_decode( wp_remote_retrieve_body( $sent ), true )['message'] ?? 'The appeal could not be sent.' ],
		default => [ 503, 'The appeal could not be sent at the moment. Try again shortly.' ],
	};
}

/** Moderators can be responsible for some categories of posts only. */
function list_scopes( WP_REST_Request $q ): WP_REST_Response {
	return answer( [ 'items' => categories( [ 'search' => (string) $q['search'], 'number' => (int) $q['limit'] ] ) ] );
}

function find_scopes( WP_REST_Request $q ): WP_REST_Response {
	$ids = array_filter( (array) $q['ids'], fn ( $id ) => is_string( $id ) && ctype_digit( $id ) );
	return answer( [ 'items' => $ids ? categories( [ 'include' => $ids ] ) : [] ] );
}

function categories( array $wanted ): array {
	$terms = get_terms( $wanted + [ 'taxonomy' => 'category', 'hide_empty' => false ] );
	return array_map( function ( $term ) {
		$parent = $term->parent ? get_term( $term->parent ) : null;
		return [ 'id' => (string) $term->term_id, 'label' => plain( $term->name ), 'context' => $parent instanceof \WP_Term ? [ plain( $parent->name ) ] : [] ];
	}, is_array( $terms ) ? array_values( $terms ) : [] );
}

// What a report is about.

/** Returns the comment that a question is about, or null if it does not exist or is in the bin. */
function find_comment( WP_REST_Request $q ): ?WP_Comment {
	$comment = $q['type'] === TYPE && is_string( $q['id'] ) && ctype_digit( $q['id'] ) ? get_comment( (int) $q['id'] ) : null;
	return $comment && in_array( wp_get_comment_status( $comment ), [ 'approved', 'unapproved', 'spam' ], true ) ? $comment : null;
}

function is_public( WP_Comment $comment ): bool {
	$post = get_post( $comment->comment_post_ID );
	return wp_get_comment_status( $comment ) === 'approved' && $post && is_post_publicly_viewable( $post ) && ! post_password_required( $post );
}

/** Returns what a reader sees of a comment, for the snapshot that a report keeps. */
function captured( WP_Comment $comment ): array {
	return [
		'title' => 'Comment on ' . plain( get_the_title( $comment->comment_post_ID ) ),
		'fields' => [ 'text' => wpautop( $comment->comment_content ) ],
		'url' => get_comment_link( $comment ), 'scope' => category( $comment ), 'locale' => get_bloginfo( 'language' ),
		'authors' => [ [ 'subject' => author( $comment ), 'name' => plain( get_comment_author( $comment ) ) ] ],
		'revision' => [ 'publishedAt' => mysql_to_rfc3339( $comment->comment_date_gmt ) . 'Z' ],
	];
}

/** A member is known by the id of the account, any other author by the address they gave. */
function author( WP_Comment $comment ): string {
	return $comment->user_id ? (string) $comment->user_id : 'author-' . wp_hash( strtolower( $comment->comment_author_email ?: $comment->comment_author ) );
}

/** The first category of the comment's post; pages have none. */
function category( WP_Comment $comment ): string {
	$ids = wp_get_post_categories( (int) $comment->comment_post_ID );
	return $ids ? (string) min( $ids ) : '';
}

/** WordPress keeps names and titles as HTML. */
function plain( string $html ): string {
	return html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
}

function answer( array $body ): WP_REST_Response {
	return new WP_REST_Response( $body, 200, [ 'Cache-Control' => 'no-store' ] );
}

function missing(): WP_REST_Response {
	return new WP_REST_Response( null, 404 );
}

// Who reports.

/**
 * Returns the account at Docket of the present visitor, or null if they must sign in. Who may
 * comment may report. Visitors without an account are told apart by their address, so that
 * Docket's limits hold for them.
 */
function reporter(): ?array {
	$user = wp_get_current_user();
	if ( $user->exists() ) {
		return [ 'subject' => (string) $user->ID, 'name' => $user->display_name ];
	}
	return get_option( 'comment_registration' ) ? null : [ 'subject' => 'visitor-' . wp_hash( $_SERVER['REMOTE_ADDR'] ), 'name' => 'A visitor' ];
}

/** Answers <docket-report> with a JWT for five minutes. */
function serve_token(): WP_REST_Response {
	$who = reporter();
	if ( ! $who ) {
		return new WP_REST_Response( null, 401 );
	}
	return answer( [ 'token' => token( $who ) ] );
}

function token( array $who ): string {
	$text = encoded( [ 'alg' => 'EdDSA', 'kid' => key_id() ] ) . '.' . encoded( [
		'iss' => 'plugin:' . PLUGIN, 'aud' => 'docket', 'sub' => $who['subject'], 'name' => $who['name'], 'iat' => time(), 'exp' => time() + 300,
	] );
	return $text . '.' . url64( sodium_crypto_sign_detached( $text, sodium_crypto_sign_secretkey( key_pair() ) ) );
}

function serve_keys(): WP_REST_Response {
	return answer( [ 'keys' => [ [
		'kty' => 'OKP', 'crv' => 'Ed25519', 'alg' => 'EdDSA', 'use' => 'sig', 'kid' => key_id(), 'x' => url64( sodium_crypto_sign_publickey( key_pair() ) ),
	] ] ] );
}

/** The key pair is made once and kept in the site's options. */
function key_pair(): string {
	if ( ! get_option( 'docket_key_pair' ) ) {
		add_option( 'docket_key_pair', base64_encode( sodium_crypto_sign_keypair() ), '', false );
	}
	return base64_decode( get_option( 'docket_key_pair' ) );
}

function key_id(): string {
	return substr( hash( 'sha256', sodium_crypto_sign_publickey( key_pair() ) ), 0, 16 );
}

function encoded( array $part ): string {
	return url64( wp_json_encode( $part ) );
}

function url64( string $bytes ): string {
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
}

// What visitors see.

add_filter( 'comment_text', function ( $text, $comment = null ) {
	if ( ! $comment instanceof WP_Comment || ! connected() || is_admin() || is_feed() || ! is_public( $comment ) ) {
		return $text;
	}
	// Without the nonce, WordPress takes a member who asks for a token for a guest.
	$token = rest_url( 'docket/v1/token' );
	if ( is_user_logged_in() ) {
		$token = add_query_arg( '_wpnonce', wp_create_nonce( 'wp_rest' ), $token );
	}
	return $text . sprintf(
		'<docket-report plugin="%s" type="%s" target="%d" token-url="%s" sign-in-url="%s"></docket-report><noscript><a rel="nofollow" href="%s">Report</a></noscript>',
		PLUGIN, TYPE, $comment->comment_ID, esc_url( $token ), esc_url( wp_login_url( get_comment_link( $comment ) ) ), esc_url( report_url( $comment ) )
	);
}, 40, 2 );

add_action( 'wp_footer', function () {
	if ( is_singular() && connected() ) {
		printf( '<script type="module" src="%s"></script>', esc_url( core() . '/embed/report.js' ) );
	}
} );

function report_url( WP_Comment $comment ): string {
	return add_query_arg( 'docket_report', $comment->comment_ID, home_url( '/' ) );
}

/** The page behind the link: a form without scripts, whose report this server files. */
add_action( 'template_redirect', function () {
	if ( ! isset( $_GET['docket_report'] ) ) {
		return;
	}
	$id      = wp_unslash( $_GET['docket_report'] );
	$comment = is_string( $id ) && ctype_digit( $id ) ? get_comment( (int) $id ) : null;
	nocache_headers();
	if ( ! $comment || ! is_public( $comment ) ) {
		wp_die( 'This comment is no longer available.', 'Report', [ 'response' => 404 ] );
	}
	$who = reporter();
	if ( ! $who ) {
		auth_redirect();
	}
	$back = sprintf( '<p><a href="%s">Back to the comment</a></p>', esc_url( get_comment_link( $comment ) ) );
	if ( $_SERVER['REQUEST_METHOD'] === 'POST' ) {
		check_admin_referer( "docket_report_$id" );
		[ $status, $message ] = file_report( $comment, $who, wp_unslash( $_POST ) );
		wp_die( '<p role="status">' . esc_html( $message ) . '</p>' . $back, 'Report', [ 'response' => $status ] );
	}
	$reasons = '';
	foreach ( [ 'spam' => 'Spam', 'abusive' => 'Abuse or harassment', 'rule_violation' => 'It breaks the rules', 'other' => 'Something else' ] as $reason => $label ) {
		$reasons .= "<p><label><input type=\"radio\" name=\"reason\" value=\"$reason\" required> $label</label></p>";
	}
	wp_die( sprintf(
		'<h1>Report this comment</h1><blockquote>%s</blockquote><form method="post"><fieldset><legend>What is wrong with it?</legend>%s</fieldset>
		<p><label>Details (at least 10 characters for “Something else”)<br><textarea name="description" maxlength="2000" rows="4" cols="40"></textarea></label></p>
		%s<p><button class="button">Send report</button></p></form>%s',
		wp_kses_post( wpautop( $comment->comment_content ) ), $reasons, wp_nonce_field( "docket_report_$id", '_wpnonce', true, false ), $back
	), 'Report', [ 'response' => 200 ] );
} );

/** Files a report with what the visitor saw and returns a status with a message for them. */
function file_report( WP_Comment $comment, array $who, array $form ): array {
	$description = is_string( $form['description'] ?? null ) ? trim( $form['description'] ) : '';
	$filed       = wp_remote_post( core() . '/moderation/reports', [
		'timeout' => 10, 'headers' => [ 'Content-Type' => 'application/json', 'Authorization' => 'Bearer ' . setting( 'token' ) ],
		'body' => wp_json_encode( [
			'pluginId' => PLUGIN, 'targetType' => TYPE, 'targetId' => (string) $comment->comment_ID,
			'reason' => $form['reason'] ?? '', 'description' => $description === '' ? null : $description,
			'reporter' => $who, 'capture' => captured( $comment ),
		] ),
	] );
	$status = wp_remote_retrieve_response_code( $filed );
	return match ( $status ) {
		201 => [ 200, 'Thank you. Your report has been sent to the moderators.' ],
		409 => [ 200, 'You have already reported this. The moderators will look at it.' ],
		400, 404, 429 => [ $status, json_decode( wp_remote_retrieve_body( $filed ), true )['message'] ?? 'The report could not be sent.' ],
		default => [ 503, 'The report could not be sent at the moment. Try again shortly.' ],
	};
}
