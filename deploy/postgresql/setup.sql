-- As PostgreSQL's own superuser, before `pbem migrate`, and again whenever you like:  psql -f setup.sql
-- Each process has a role (pbem_web ...), to which `pbem migrate` grants what that process needs, and a login of the name
-- of its system user (pbem-web ...), which is a member.  The tables are owned by pbem, as whom root acts.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE TEMPORARY TABLE parts AS
	SELECT unnest(ARRAY['web', 'smtp', 'mailer', 'resolver', 'scheduler', 'metrics', 'backup']) AS part;
CREATE TEMPORARY TABLE wanted AS
	SELECT 'pbem_' || part AS name, '' AS how FROM parts
	UNION ALL SELECT 'pbem', 'LOGIN'
	UNION ALL SELECT 'pbem-' || part, 'LOGIN' FROM parts
	UNION ALL SELECT 'root', 'LOGIN';
SELECT format('CREATE ROLE %I %s', name, how) FROM wanted WHERE name NOT IN (SELECT rolname FROM pg_roles) \gexec
SELECT format('GRANT %I TO %I', 'pbem_' || part, 'pbem-' || part) FROM parts \gexec
GRANT pbem TO root;
SELECT 'CREATE DATABASE pbem OWNER pbem' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'pbem') \gexec
ALTER ROLE root IN DATABASE pbem SET role = 'pbem';
